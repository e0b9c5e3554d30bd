import type { PagesContext } from '../../frame/pages-context.ts'

/** The outcomes that can be asked for; none leaves it to the rules. */
export const outcomeOptions = ({
  catalogue,
}: Pick<PagesContext, 'catalogue'>): readonly (readonly [value: string, text: string])[] => [
  ['', 'default (by terminal, card and amount)'],
  ...catalogue.outcomes.map(({ name, code }) => [name, `${code} ${name}`] as const),
]
