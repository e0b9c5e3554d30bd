import type { PagesContext } from '../../frame/pages-context.ts'

/** The outcomes that can be asked for; none leaves it to the rules. */
export const outcomeOptions = ({
  catalogue,
}: Pick<PagesContext, 'catalogue'>): readonly (readonly [value: string, text: string])[] => [
  ['', 'by the usual rules'],
  ...catalogue.outcomes.map(({ name, code }) => [name, `${code} ${name}`] as const),
]
