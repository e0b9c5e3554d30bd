// Medians and quartiles of what the rounds measured.

export const median = (values) => quantile(values, 0.5)

/** `part` 0 to 1; between two values as far as it lies between them. */
function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other)
  const position = (sorted.length - 1) * part
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]]
  return below + (above - below) * (position % 1)
}

/** Median and quartiles, as a row of the report takes them. */
export const spread = (values) => ({
  ratio: median(values),
  quartiles: values.length < 2 ? undefined : [quantile(values, 0.25), quantile(values, 0.75)],
})

/** Of the ratios within each round: what slows a round slows both of its sides. */
export const compare = (values, against) => spread(values.map((value, round) => value / against[round]))

/** The items, beginning with another one in each second round, and backwards in between: none always follows the same one. */
export function rotated(items, round) {
  const first = Math.floor(round / 2) % items.length
  const turned = [...items.slice(first), ...items.slice(0, first)]
  return round % 2 === 0 ? turned : turned.reverse()
}
