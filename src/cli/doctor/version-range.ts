/** True for a version in a range such as `^20.19.0 || >=24`, the forms in which package.json names versions of Node. */
export const isInRange = (version: string, range: string): boolean =>
  range.split('||').some((part) => fits(numbersOf(version), part.trim()))

type Numbers = readonly [major: number, minor: number, patch: number]

const numbersOf = (text: string): Numbers => {
  const [major = 0, minor = 0, patch = 0] = (text.match(/\d+/g) ?? []).map(Number)
  return [major, minor, patch]
}

function fits(version: Numbers, part: string): boolean {
  const least = numbersOf(part)
  const isEnough = compared(version, least) >= 0
  return part.startsWith('>=') ? isEnough : isEnough && version[0] === least[0]
}

const compared = (one: Numbers, other: Numbers): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
