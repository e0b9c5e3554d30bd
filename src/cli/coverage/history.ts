import { appendFileSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type CoverageReport, percentOf } from '../../contract/sandbox/coverage-answers.ts'
import { counted } from '../../text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'

/** A run in a history: a line of JSON. `at`: ISO 8601, by the wall clock. */
const pastRun = v.object({
  at: v.string(),
  handled: v.number(),
  met: v.number(),
  situations: v.pipe(v.number(), v.minValue(1)),
})

const mostDrawn = 20

/** From 0 to 100 %. */
const bars = '▁▂▃▄▅▆▇█'

/**
 * The shares of the runs in a history, the oldest first. `added`: a line that it gets first; a file that is not there is made.
 * Errors: UsageError for a file that cannot be used, or is no history.
 */
export function pastShares(file: string, added = ''): number[] {
  const text = usingFile(
    () => {
      appendFileSync(file, added)
      return readFileSync(file, 'utf8')
    },
    `Cannot keep the run in ${file}`,
    'Name a file that you can read and write, with --history',
    'history',
  )
  const lines = text.trimEnd().split('\n')
  return lines.map((line, index) => shareIn(line, `Line ${index + 1} of ${file}`))
}

/** Adds a run to its history, and draws the shares of the latest runs. Errors: as `pastShares`. */
export function keepRun(file: string, { handled, met, situations }: CoverageReport): string {
  const run = { at: new Date().toISOString(), handled, met, situations: situations.length }
  const shares = pastShares(file, `${JSON.stringify(run)}\n`)
  const drawn = shares.slice(-mostDrawn).map((share) => bars[Math.min(Math.floor((share * 8) / 100), 7)])
  const lately = shares.slice(-2).map((share) => `${share} %`)
  return `${drawn.join('')} ${lately.join(' → ')}, after ${counted(shares.length, 'run')}\n`
}

function shareIn(line: string, where: string): number {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), pastRun), line)
  if (success) return percentOf(output.handled, output.situations)
  throw new UsageError(
    `${where} is no run of tillbox coverage`,
    'Remove the line, or name another file with --history',
    'history',
  )
}
