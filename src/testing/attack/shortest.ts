import type { Drive, Try } from './lane.ts'
import { type Move, withoutAPart, withoutStep } from './moves.ts'

/** A drive with moves that breaks a law, and its last try. */
export interface Broken {
  readonly drive: Drive
  readonly moves: readonly Move[]
  readonly last: Try
}

/** How less is tried. */
interface Trying {
  /** No time is left. */
  readonly isOver: () => boolean
  /** As the written scenario will run. */
  readonly again: (drive: Drive, moves: readonly Move[]) => Promise<Try>
  /** A drive as it is while nothing goes wrong; undefined where it fails then. */
  readonly kindly: (drive: Drive) => Promise<Drive | undefined>
}

/** Takes away every move, part of a move and step of the drive without which the law is broken, too. */
export async function shortest(broken: Broken, trying: Trying): Promise<Broken> {
  const fewer = await withFewerMoves(broken, trying)
  return withFewerSteps(await withSmallerMoves(fewer, trying), trying)
}

const isBroken = ({ result }: Try): boolean => result.failure !== undefined

async function withFewerMoves({ drive, moves: all, last: first }: Broken, { isOver, again }: Trying) {
  let [moves, last] = [all, first]
  for (const move of all) {
    const fewer = moves.filter((each) => each !== move)
    if (fewer.length === 0 || isOver()) break
    const tried = await again(drive, fewer)
    if (isBroken(tried)) [moves, last] = [fewer, tried]
  }
  return { drive, moves, last }
}

async function withSmallerMoves({ drive, moves: all, last: first }: Broken, { isOver, again }: Trying) {
  let [moves, last] = [all, first]
  for (const move of all) {
    let [whole, parts] = [move, withoutAPart(move)]
    for (let part = parts.shift(); part !== undefined && !isOver(); part = parts.shift()) {
      const fewer = moves.map((each) => (each === whole ? part : each))
      const tried = await again(drive, fewer)
      if (!isBroken(tried)) continue
      ;[moves, last, whole, parts] = [fewer, tried, part, withoutAPart(part)]
    }
  }
  return { drive, moves, last }
}

/** A step stays if the drive fails without it, or another law is broken: then it is another finding. */
async function withFewerSteps(broken: Broken, { isOver, again, kindly }: Trying): Promise<Broken> {
  let { drive, moves, last } = broken
  for (let index = drive.steps.length - 1; index >= 0 && !isOver(); index--) {
    const others = withoutStep(moves, index)
    const fewer = others && (await kindly({ ...drive, steps: drive.steps.toSpliced(index, 1) }))
    if (others === undefined || fewer === undefined) continue
    const tried = await again(fewer, others)
    if (isBroken(tried) && lawOf(tried) === lawOf(last)) [drive, moves, last] = [fewer, others, tried]
  }
  return { drive, moves, last }
}

const lawOf = ({ result }: Try) => result.violations?.[0]?.law
