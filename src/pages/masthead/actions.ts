import { countedWebhookFaults } from '../../contract/sandbox/faults.ts'
import { isOffset } from '../../text/duration-words.ts'
import type { PagesContext } from '../frame/page-view.tsx'

/** What the menus of the masthead can do; the palette offers the same. */

/** An order to the clock, as the form of its menu sends it. */
interface ClockOrder {
  readonly order: string
  /** On a button, among others of the clock. */
  readonly short: string
  readonly text: string
}

/** Steps ahead. */
export const clockSteps: readonly ClockOrder[] = [
  { order: '1m', short: '+1 min', text: 'Advance the clock by 1 minute' },
  { order: '1h', short: '+1 h', text: 'Advance the clock by 1 hour' },
  { order: '1d', short: '+1 day', text: 'Advance the clock by 1 day' },
]

/** How many times as fast as the wall clock the clock may be told to run. */
const speeds = [1, 10, 60, 600]

/** The other orders that mean something now. */
export function clockOrders({
  clock,
  engine,
}: Pick<PagesContext, 'clock' | 'engine'>): readonly ClockOrder[] {
  const toDue = {
    order: 'next-due',
    short: 'Next due',
    text: 'Advance the clock to the next due event',
  }
  const freeze = { order: 'freeze', short: 'Freeze', text: 'Freeze the clock' }
  const resume = { order: 'resume', short: 'Resume', text: 'Resume the clock' }
  const reset = { order: 'reset', short: 'Real time', text: 'Return the clock to real time' }
  return [
    ...(engine.earliest() === undefined ? [] : [toDue]),
    clock.frozen ? resume : freeze,
    ...(clock.frozen || isOffset(clock.offset) || clock.speed !== 1 ? [reset] : []),
    ...speeds
      .filter((speed) => speed !== clock.speed)
      .map((speed) => ({
        order: `${speed}x`,
        short: `Run ${speed}x`,
        text: speed === 1 ? 'Run the clock at its usual speed' : `Run the clock ${speed}x as fast`,
      })),
  ]
}

/** The most used faults, in their written form; all of them can be limited to a number of times. */
export const mostUsedFaults = [
  ['API', ['http-503', 'http-429', 'lost-answer', 'latency=2000']],
  ['Webhooks', countedWebhookFaults],
] as const

/** How often a fault hits, as forms send it, and in words. */
export const faultTimes = [
  ['', 'once'],
  ['10', '10 times'],
  ['always', 'always'],
] as const

/** Pages about the whole sandbox and its server; those that no space has begin with `/./`. */
export const serverPages = [
  ['/coverage', 'Coverage'],
  ['/./spaces', 'Spaces'],
  ['/./tokens', 'Tokens'],
  ['/audit', 'Audit log'],
] as const
