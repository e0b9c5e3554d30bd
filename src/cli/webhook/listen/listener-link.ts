import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { control, ServiceRefusal } from '../../../client/client.ts'
import type { SandboxAddress } from '../../../client/discover.ts'
import type {
  AnsweredControl,
  ControlAnswer,
  ControlInput,
} from '../../../contract/sandbox/controls/controls.ts'
import type { TakenWebhook } from '../../../contract/sandbox/webhooks.ts'

/** Maximum reports that wait for an unreachable sandbox; the oldest is dropped first. */
const mostReports = 1_000

/** Pause before calling an unreachable sandbox again, and time limit of the last reports. Milliseconds. */
const [pause, lastPatience] = [300, 2_000]

/** What a listener asks of its sandbox and reports to it, over restarts of the sandbox. */
export interface ListenerLink {
  /** Names this listener to the sandbox. */
  readonly listener: string
  /** Asks until the sandbox answers; undefined when `signal` aborted before. Errors: ServiceRefusal. */
  take(wanted: ControlInput<'take-webhook'>): Promise<TakenWebhook | undefined>
  /** Reports an attempt, or how far the listener came; in the order of the calls. */
  report(attempt: ControlInput<'report-attempt'>): void
  reached(id: string): void
  /** Resolves when everything is reported, or the sandbox took too long. */
  flush(): Promise<void>
}

type ListenerReport =
  | { readonly name: 'report-attempt'; readonly members: ControlInput<'report-attempt'> }
  | { readonly name: 'report-position'; readonly members: ControlInput<'report-position'> }

/** `address`: where the sandbox is now. */
export function openLink(address: () => SandboxAddress, signal: AbortSignal): ListenerLink {
  const listener = randomUUID()
  const reports: ListenerReport[] = []
  let reporting: Promise<void> | undefined

  /** Repeats the call while the sandbox is unreachable; undefined once it gives up. */
  async function ask<N extends AnsweredControl>(
    name: N,
    members: ControlInput<N>,
    isOver: () => boolean,
  ): Promise<ControlAnswer<N> | undefined> {
    while (!isOver()) {
      try {
        return await control(address(), name, members as Readonly<Record<string, unknown>>)
      } catch (error) {
        if (error instanceof ServiceRefusal) throw error
        await sleep(pause, undefined, { signal }).catch(() => sleep(20))
      }
    }
    return undefined
  }

  async function reportAll(isOver: () => boolean): Promise<void> {
    for (let next = reports[0]; next !== undefined && !isOver(); next = reports[0]) {
      const { name, members } = next
      const answer = await ask(name, members, isOver).catch(() => null) // refused: it was forgotten since
      if (answer !== undefined && reports[0] === next) reports.shift()
    }
    reporting = undefined
  }

  const add = (report: ListenerReport) => {
    const before = reports.length > 1 ? reports.at(-1) : undefined
    if (before?.name === 'report-position' && report.name === before.name) reports.pop()
    reports.push(report)
    if (reports.length > mostReports) reports.shift()
    reporting ??= reportAll(() => signal.aborted)
  }
  return {
    listener,
    take: (wanted) => ask('take-webhook', wanted, () => signal.aborted),
    report: (members) => add({ name: 'report-attempt', members }),
    reached: (id) => add({ name: 'report-position', members: { listener, id } }),
    flush: async () => {
      await reporting
      const end = performance.now() + lastPatience
      await reportAll(() => performance.now() > end)
    },
  }
}
