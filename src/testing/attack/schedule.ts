import { randomFrom } from '../../shared/seeded-random.ts'
import { canBeBoth, type Move } from './moves.ts'

/** Most moves of one try. */
const mostMoves = 4

/** Pairs that each move is tried in before any are mixed. */
const pairsOfMove = 3

/** Moves of the same situation at the same step, each alone. */
export const othersLike = (move: Move, all: readonly Move[]): (readonly Move[])[] =>
  all
    .filter((other) => other !== move && other.situation === move.situation && other.at === move.at)
    .map((other) => [other])

/**
 * First each move alone, in an order by chance; then pairs around one step, which touch the same payment,
 * three for each move; then those that differ from another one by name; then ever more of two to `mostMoves`
 * together.
 */
export function* schedules(moves: readonly Move[], seed: number): Generator<readonly Move[], never> {
  const next = randomFrom(seed)
  const pick = (count: number) => Math.floor(next() * count)
  const order = moves.map((move) => ({ move, at: next() })).sort((one, other) => one.at - other.at)
  const [usual, alike] = [false, true].map((wanted) => order.filter(({ move }) => move.isAlike === wanted))
  for (const { move } of usual ?? []) yield [move]
  for (const { move } of usual ?? [])
    for (let times = 0; times < pairsOfMove; times++) {
      const others = moves.filter((other) => other.at === move.at && canBeBoth(move, other))
      const other = others[pick(others.length)]
      if (other !== undefined) yield [move, other]
    }
  for (const { move } of alike ?? []) yield [move]
  for (;;) {
    const count = Math.min(2 + pick(mostMoves - 1), moves.length)
    const chosen = new Set<Move>()
    for (let times = 0; times < count; times++) {
      const move = moves[pick(moves.length)] as Move
      if ([...chosen].every((each) => canBeBoth(each, move))) chosen.add(move)
    }
    yield [...chosen].sort((one, other) => one.at - other.at)
  }
}
