import type { Child } from 'hono/jsx'

/** A name with its value; `className` emphasises it. */
export type DescriptionItem = readonly [name: string, value: Child, className?: string | undefined]

interface PairsProps {
  readonly kind: 'facts' | 'members' | 'reasons' | 'rows' | 'totals'
  readonly pairs: readonly DescriptionItem[]
}

/** Names with their values; a pair whose value is null is left out. */
export const Pairs = ({ kind, pairs }: PairsProps) => (
  <dl class={kind}>
    {pairs
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value, className]) => (
        <div class={className}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
