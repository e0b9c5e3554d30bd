import type { Child } from 'hono/jsx'

interface PairsProps {
  readonly kind: 'facts' | 'members' | 'reasons'
  readonly pairs: readonly (readonly [name: string, value: Child])[]
}

/** Names with their values; a pair whose value is null is left out. */
export const Pairs = ({ kind, pairs }: PairsProps) => (
  <dl class={kind}>
    {pairs
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
