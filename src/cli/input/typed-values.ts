import { controlLimits } from '../../contract/control/control.ts'
import { type Retries, retriesFrom } from '../../contract/control/retries.ts'
import { isMoment } from '../../contract/member-kinds.ts'
import { readAmount } from '../../contract/written-amount.ts'
import { durationText, parseDuration, parseMilliseconds } from '../../shared/text/duration.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { sourceOfVariable } from './env-file.ts'

/** An amount of a flag in minor units. `otherwise`: what a whole number may be instead. */
export function parseAmount(text: string, currency: string, flag: string, otherwise = ''): number {
  const amount = readAmount(text, currency, 'refused')
  if (typeof amount === 'number') return amount
  const { kind, wrong, remedy } = amount
  if (kind === 'currency') throw new UsageError(wrong, remedy, 'priceCurrency')
  throw new UsageError([`--${flag}`, `${text} ${wrong}`], kind === 'bare' ? remedy + otherwise : remedy)
}

/** A share from 0 to 1. */
export function shareFrom(text: string, flag: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (share >= 0 && share <= 1) return share
  throw new UsageError([`--${flag}`, `${text} is not a share`], 'Use a number from 0 to 1, such as 0.2')
}

/** Checks TILLBOX_PORT, which every search for a sandbox uses. */
export function requirePortVariable(): void {
  const text = process.env.TILLBOX_PORT || '0'
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return
  throw new UsageError(
    `${sourceOfVariable('TILLBOX_PORT')} ${text} is not a port`,
    'Use a number from 1 to 65535, or unset it',
  )
}

/** How `--since` and `--until` are typed. */
export const timeForms = 'how long ago (2h), or a time (2026-11-20T18:02:00Z)'

/** A time range from `--since` and `--until`, before the sandbox's `now`. */
export async function rangeFrom(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  now: () => Promise<string>,
): Promise<{ since: string | undefined; until: string | undefined }> {
  const range = {
    since: since === undefined ? undefined : await momentOrAgo(since, 'since', now),
    until: until === undefined ? undefined : await momentOrAgo(until, 'until', now),
  }
  if (range.since === undefined || range.until === undefined) return range
  if (Date.parse(range.since) < Date.parse(range.until)) return range
  throw new UsageError(
    ['--until', `${until} is not later than --since ${since}`],
    'Pass a later time with --until, or an earlier one with --since',
  )
}

/** A typed time, or a duration ahead of the sandbox's `now`. */
export const momentOrAhead = (text: string, flag: string, now: () => Promise<string>): Promise<string> =>
  momentFrom(text, flag, now, 1, `Use ${isoForm}, or how far ahead, such as 10m`)

const momentOrAgo = (text: string, flag: string, now: () => Promise<string>): Promise<string> =>
  momentFrom(text, flag, now, -1, `Use how long ago, such as 2h, or ${isoForm}`)

const isoForm = 'ISO 8601 with an offset, such as 2026-01-31T12:00:00Z'

/** A time as typed, or a duration from the sandbox's `now`: ahead with 1, ago with -1. */
async function momentFrom(
  text: string,
  flag: string,
  now: () => Promise<string>,
  direction: 1 | -1,
  remedy: string,
): Promise<string> {
  const duration = parseDuration(text)
  if (duration === undefined) {
    if (isMoment(text)) return text
    throw new UsageError(`Cannot read the time --${flag} ${text}`, remedy, flag)
  }
  const start = await now()
  const at = new Date(Math.max(Date.parse(start) + direction * duration, 0))
  if (!Number.isNaN(at.getTime())) return at.toISOString()
  throw new UsageError(
    `Cannot read the time of the sandbox clock '${start}'`,
    `Pass the time of --${flag} itself, such as 2026-01-31T12:00:00Z`,
    flag,
  )
}

/** The duration of a flag in milliseconds; without a unit it is seconds. */
export function parseDurationFlag(text: string, flag: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  const remedy = 'Use 500ms, 90s, 5m, 2h or 181d; without a unit it is seconds'
  throw new UsageError([`--${flag}`, `${text} is not a duration`], remedy)
}

/** Longest wait of a command: no timer of Node takes 25 days. Milliseconds. */
const longestWait = 24 * 86_400_000

/** How long a command waits at most, in milliseconds; without a unit it is seconds. */
export function parseWait(text: string, flag: string, longest = longestWait): number {
  const wait = parseDurationFlag(text, flag)
  if (wait <= longest) return wait
  throw new UsageError([`--${flag}`, `${text} is too long`], `Wait ${durationText(longest)} at most`)
}

/** The pace of a terminal in milliseconds a screen, `instant` being 0; without a unit it is milliseconds. */
export function parsePace(text: string): number {
  if (text === 'instant') return 0
  const pace = parseMilliseconds(text)
  if (pace !== undefined && pace <= controlLimits.pace) return pace
  const limit = `is longer than ${controlLimits.pace / 60_000} minutes`
  const why = `${text} ${pace === undefined ? 'is neither instant nor a duration' : limit}`
  throw new UsageError(['--pace', why], 'Use instant, milliseconds such as 800, or a unit: 800ms, 2s')
}

/** A schedule of retries, as typed. */
export function parseRetries(text: string): Retries {
  const retries = retriesFrom(text)
  if (retries !== undefined) return retries
  const remedy = 'Use none, fast, default, or durations such as 50ms,1s,5m; without a unit they are seconds'
  throw new UsageError(['--retries', `${text} is not a list of durations`], remedy)
}
