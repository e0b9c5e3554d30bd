import type { WhyAnswer, WhyStep } from '../../contract/control/why-answers.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from './clean.ts'
import { pairs } from './table.ts'
import { theme } from './theme.ts'

const marks: Readonly<Record<WhyStep['result'], () => string>> = {
  passed: () => theme.good('✓'),
  refused: () => theme.bad('✗'),
  decided: () => theme.strong('→'),
  noted: () => theme.faint('·'),
}

/** Which rules decided, in their order; then the evidence of those that did more than let it pass. */
export function renderWhy(answer: WhyAnswer): string {
  const { summary, remedy, steps, claims } = cleaned(answer)
  const kinds = new Map(claims.map(({ name, kind }) => [name, kind]))
  const known = (names: readonly string[]) => names.map((name) => `${kinds.get(name)}: ${name}`).join(', ')
  const lines = steps.map(({ what, result, detail, claims: names }) =>
    [
      `${marks[result]?.() ?? ' '} ${what}  ${theme.faint(known(names))}`.trimEnd(),
      ...(detail === null ? [] : [`  ${detail}`]),
    ].join('\n'),
  )
  const deciding = steps.filter(({ result }) => result === 'refused' || result === 'decided')
  const shown = (
    steps.length === 0 ? [claims.map(({ name }) => name)] : deciding.map((step) => step.claims)
  ).flat()
  const evidence = claims
    .filter(({ name }) => shown.includes(name))
    .map(({ name, kind, says, source, setting }) =>
      pairs([
        [name, kind === 'assumption' ? kind : `${kind}: ${source}`],
        [' ', says],
        [' because', kind === 'assumption' ? source : null],
        [' setting', setting],
      ]),
    )
  const head = [summary, ...(remedy === null ? [] : [`do  ${hint(remedy)}`])].join('\n')
  return `${[head, lines.join('\n'), ...evidence].filter(Boolean).join('\n\n')}\n`
}
