/** Right and wrong values of a member, the usual one first, each wrong one with its place; `mayLack`: it may be left out. */
export interface Values {
  readonly right: readonly unknown[]
  readonly wrong: readonly (readonly [place: string, value: unknown])[]
  readonly mayLack?: boolean
}

/** Values by hand. */
export const kind = (right: readonly unknown[], ...wrong: readonly unknown[]): Values => ({
  right,
  wrong: wrong.map((value) => ['', value] as const),
})

const placed = (wrong: Values['wrong'], inner: string, put: (value: unknown) => unknown): Values['wrong'] =>
  wrong.map(([place, value]) => [inner + place, put(value)] as const)

/** A list: each right value alone, none, and as many as there may be; each wrong one, and one more than that. */
export function listOf({ right, wrong }: Values, most?: number): Values {
  const copies = (count: number) => Array.from({ length: count }, () => right[0])
  const [full, over] = most === undefined ? [[], []] : [[copies(most)], [copies(most + 1)]]
  const others = kind([...right.map((value) => [value]), [], ...full], 'a', 1, ...over)
  return { ...others, wrong: [...placed(wrong, '.0', (value) => [value]), ...others.wrong] }
}

/** A list of that many values in their order. */
export function tupleOf(...all: readonly Values[]): Values {
  const firsts = all.map(({ right }) => right[0])
  const wrong = all.flatMap((each, at) => each.wrong.map(([, value]) => firsts.with(at, value)))
  return kind([firsts, all.map(({ right }) => right.at(-1))], ...wrong, firsts.slice(1), 'a', {})
}

/** An object: each right and each wrong value of a member beside the first of all others. `isStrict`: no other members. */
export function objectOf(members: Readonly<Record<string, Values>>, isStrict = true): Values {
  const all = Object.entries(members)
  const usual = Object.fromEntries(all.map(([name, { right }]) => [name, right[0]]))
  const without = (mayLack: boolean) =>
    all
      .filter(([, each]) => (each.mayLack ?? false) === mayLack)
      .map(
        ([name]) =>
          [
            `without .${name}`,
            Object.fromEntries(Object.entries(usual).filter(([each]) => each !== name)),
          ] as const,
      )
  return {
    right: [
      usual,
      ...all.flatMap(([name, { right }]) => right.slice(1).map((value) => ({ ...usual, [name]: value }))),
      ...without(true).map(([, value]) => value),
    ],
    wrong: [
      ...all.flatMap(([name, { wrong }]) =>
        placed(wrong, `.${name}`, (value) => ({ ...usual, [name]: value })),
      ),
      ...without(false),
      ...(isStrict ? [['.another', { ...usual, another: 1 }] as const] : []),
      ...kind([], 'a', 1).wrong,
    ],
  }
}

/** Any of the values; wrong is what has the type of one choice alone. */
export const choiceOf = (choices: readonly Values[]): Values => ({
  right: choices.flatMap(({ right }) => right),
  wrong: choices.flatMap(({ right, wrong }) => {
    const typeOf = (value: unknown) =>
      Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
    const isOwn = (value: unknown) => typeOf(value) === typeOf(right[0])
    const isAlone = choices.filter((other) => other.right.some(isOwn)).length === 1
    return isAlone ? wrong.filter(([, value]) => isOwn(value)) : []
  }),
})
