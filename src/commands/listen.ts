import { appendFileSync } from 'node:fs'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand, jsonLinesFlag } from '../cli/base-command.ts'
import { sandboxFinder, sandboxFlags, sandboxOf } from '../cli/connection/sandbox-address.ts'
import { UsageError } from '../cli/errors/usage-error.ts'
import { retriesOf } from '../cli/input/parse-retries.ts'
import { onInterruptionOrParentEnd } from '../cli/interruption.ts'
import { readableTimes } from '../cli/json-times.ts'
import { clean } from '../cli/output/clean.ts'
import { jsonText } from '../cli/output/json-text.ts'
import { serialsOf } from '../cli/terminal/terminal-command.ts'
import { followNotifications } from '../cli/webhook/follow-notifications.ts'
import type { ForwardAttempt } from '../cli/webhook/listen/delivery-line.ts'
import type { ListenOptions, ListenTarget } from '../cli/webhook/listen/listen-to-target.ts'
import type { Output } from '../cli/webhook/listen/live-list.ts'
import { listenerPosition } from '../cli/webhook/listener-position.ts'
import {
  eventNamed,
  eventNames,
  fitsFilter,
  parseStatusLetters,
  parseType,
  recordFilterFlags,
} from '../cli/webhook/notification-filter.ts'
import { secretHint } from '../cli/webhook/secret-hint.ts'
import { targetFrom } from '../cli/webhook/target-url.ts'
import { addedHeaders } from '../cli/webhook/webhook-input.ts'
import { control } from '../client/client.ts'
import type { SandboxAddress } from '../client/discover.ts'
import { RecentIds } from '../client/request/recent-ids.ts'
import type { StreamedNotification } from '../contract/sandbox/webhooks.ts'
import { suggestion } from '../text/suggest.ts'

export default class Listen extends BaseCommand {
  static override printsLines = true
  static override summary = 'Show every notification, and forward each to your server.'
  static override description =
    "Notifications are forwarded byte for byte, signed like the sandbox's own deliveries. Only HTTP 200 " +
    "acknowledges; any other answer is retried at the sandbox's intervals, by the clock of this machine, while later " +
    'notifications go on. It waits for a server that is down. Deliveries are listed by ' +
    'tillbox webhook list and on the dashboard, and webhook faults apply. After a restart of the sandbox or of this ' +
    'command, missed notifications are sent; the position of each URL is kept in listeners.json of the state folder, ' +
    'or with --base-url in ~/.local/state/tillbox. In a terminal window arrows select a delivery, r sends it again ' +
    'and q quits; Ctrl-C stops it anywhere.'
  static override examples = [
    '<%= config.bin %> listen localhost:3000/hook',
    '<%= config.bin %> listen 3000/hook 4000/other --events payment --print',
    '<%= config.bin %> listen --status declined --type sale --terminal TBX-AUTO-001 --json',
    '<%= config.bin %> listen --record notifications.ndjson',
  ]
  static override args = {
    url: stringArg({ description: 'URLs of your servers: localhost:3000/hook, or 3000/hook.' }),
  }
  static override strict = false
  static override flags = {
    'forward-to': string({
      description: 'The same as the argument: URL of your server. Can be repeated.',
      helpValue: '<url>',
      multiple: true,
    }),
    events: string({
      description: `Only these events, separated by commas: ${eventNames.join(', ')}.`,
      helpValue: '<names>',
    }),
    ...recordFilterFlags,
    terminal: string({
      description: 'Only notifications of this terminal.',
      helpValue: '<serial>',
    }),
    merchant: string({ description: 'Only notifications of this merchant.', helpValue: '<id>' }),
    retries: string({
      description:
        'Pauses between attempts: none, fast, default, or durations such as 50ms,1s,5m; default: those of the sandbox.',
    }),
    print: boolean({ description: 'Print the payload of each notification.' }),
    'show-secret': boolean({ description: 'Print the webhook secret at the start.' }),
    'from-now': boolean({ description: 'Start with the next notification; skip missed ones.' }),
    header: string({ description: 'Header to add, as name:value. Can be repeated.', multiple: true }),
    record: string({ description: 'File to append every notification to, for webhook replay.' }),
    ...jsonLinesFlag,
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Listen)
    const typed = (argv as string[]).map((text) => targetFrom(text, 'url', '<url>'))
    const urls = [...typed, ...(flags['forward-to'] ?? []).map((text) => targetFrom(text, 'forward-to'))]
    const targets = [...new Set(urls)]
    const added = addedHeaders(flags.header)
    const filter = filterOf(flags)
    const ownRetries = flags.retries === undefined ? undefined : retriesOf(flags.retries)
    const { record } = flags
    if (record !== undefined) appendTo(record, '')
    const sandbox = await sandboxOf(flags)
    if (flags.terminal !== undefined) await warnOfUnknown(sandbox, flags.terminal)
    const isForwarding = targets.length > 0
    const schedule = isForwarding ? await control(sandbox, 'webhook-schedule') : unscheduled
    const secret = isForwarding || flags['show-secret'] ? await secretHint(sandbox, flags['show-secret']) : ''
    const ended = onInterruptionOrParentEnd()
    let failure: unknown
    const positionOf = (key: string) =>
      listenerPosition(sandbox, key, flags['from-now'], (error) => {
        failure ??= error
        ended.abort()
      })
    const forwarding =
      targets.length === 0 ? '' : `, forwarding to ${targets.map((url) => new URL(url).href).join(' and ')}`
    const ready = `Listening to ${sandbox.baseUrl}${forwarding}\n${secret}`
    const output = await outputOf(flags.json, ended)
    const listening: ListenOptions = {
      find: sandboxFinder(flags, sandbox),
      wants: (notification) => fitsFilter(notification, filter),
      ready: ready.trimEnd(),
      say: notTwice(output.say),
      ended,
    }
    const recorded = new RecentIds()
    const keep = (notification: StreamedNotification) => {
      if (record === undefined || recorded.has(notification.id)) return
      recorded.add(notification.id)
      appendTo(record, `${JSON.stringify({ at: Date.now(), ...notification })}\n`)
    }
    const show: ShowAttempt = { asJson: flags.json, print: flags.print, isOne: targets.length <= 1, output }
    try {
      if (targets.length === 0) await this.watch(listening, positionOf(''), keep, show)
      else {
        const { listenToTarget } = await import('../cli/webhook/listen/listen-to-target.ts')
        const retries = ownRetries ?? schedule.retries
        const order = { order: schedule.order, concurrency: schedule.concurrency ?? 1 }
        await Promise.all(
          targets.map((text) => {
            const url = new URL(text)
            const target: ListenTarget = { url, position: positionOf(text), added, retries, order }
            return listenToTarget(target, listening, async (forwarded, again) => {
              keep(forwarded.notification)
              await tell(show, url.href, forwarded, again)
            })
          }),
        )
      }
    } finally {
      output.close()
    }
    if (failure !== undefined) throw failure
  }

  /** Shows notifications, and forwards none. */
  async watch(
    { find, wants, ready, say, ended }: ListenOptions,
    position: ReturnType<typeof listenerPosition>,
    keep: (notification: StreamedNotification) => void,
    show: ShowAttempt,
  ): Promise<void> {
    const opened = (start: string | undefined) => {
      if (start !== undefined) position.advance(start)
    }
    const handle = async (notification: StreamedNotification) => {
      if (wants(notification)) {
        keep(notification)
        await tell(show, '', { notification })
      }
      position.advance(notification.id)
    }
    try {
      const lastId = () => position.lastId()
      await followNotifications({ find, lastId, opened, handle, ready, say }, ended.signal)
    } finally {
      position.flush()
    }
  }
}

/** Without an endpoint nothing is retried. */
const unscheduled = { retries: [], order: 'relaxed', concurrency: 1 } as const

/** How attempts are shown. */
interface ShowAttempt {
  readonly asJson: boolean
  /** The payload, too. */
  readonly print: boolean
  /** There is one endpoint at most, and no need to name it. */
  readonly isOne: boolean
  readonly output: Output
}

async function tell(
  { asJson, print, isOne, output }: ShowAttempt,
  url: string,
  forwarded: ForwardAttempt | { readonly notification: StreamedNotification },
  resend?: () => void,
): Promise<void> {
  const { notification } = forwarded
  const attempt = 'answer' in forwarded ? attemptOf(url, forwarded) : null
  if (asJson) {
    output.print(jsonText(readableTimes({ ...notification, ...(attempt && { forwarded: attempt }) })))
    return
  }
  const { renderListened, renderPayload } = await import('../cli/webhook/listen/render-listen.ts')
  const line = renderListened(notification, attempt && { ...attempt, to: isOne ? null : url })
  const text = print ? `${line}${renderPayload(notification)}` : line
  const { stripVTControlCharacters } = await import('node:util')
  output.print(text, resend && { text: stripVTControlCharacters(line).trimEnd(), resend })
}

const attemptOf = (url: string, { attempt, answer, fault, nextAt }: ForwardAttempt) => ({
  to: url,
  attempt,
  status: answer.status,
  error: answer.error,
  durationMs: answer.durationMs,
  fault,
  nextAt,
})

/** In a terminal window with keys, elsewhere as lines. */
async function outputOf(asJson: boolean, ended: AbortController): Promise<Output> {
  const { liveOutput, plainOutput } = await import('../cli/webhook/listen/live-list.ts')
  if (asJson || !process.stdin.isTTY || !process.stdout.isTTY) return plainOutput()
  const { themeOf } = await import('../cli/output/theme.ts')
  const window = { input: process.stdin, output: process.stdout, errors: process.stderr }
  return liveOutput(window, themeOf('stdout'), () => ended.abort())
}

/** Prints a text only once when several endpoints report it in a row. */
function notTwice(say: (text: string) => void): (text: string) => void {
  let last = ''
  return (text) => {
    if (text !== last) say(text)
    last = text
  }
}

/** Warns of an unknown terminal: it may be registered later, but most likely its name is wrong. */
async function warnOfUnknown(sandbox: SandboxAddress, serial: string): Promise<void> {
  const known = await serialsOf(sandbox)
  if (!known.includes(serial))
    process.stderr.write(`The sandbox has no terminal ${serial} yet: ${clean(suggestion(serial, known))}\n`)
}

/** Adds to the recording. Errors: UsageError when it cannot be written. */
function appendTo(path: string, text: string): void {
  try {
    appendFileSync(path, text)
  } catch (error) {
    const why = `Cannot write ${path}: ${(error as Error).message}`
    throw new UsageError(why, 'Name another file with --record, or free disk space', 'record')
  }
}

/** What is asked for. Errors: UsageError. */
const filterOf = (flags: {
  readonly events?: string | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly terminal?: string | undefined
  readonly merchant?: string | undefined
}) => ({
  events: flags.events?.split(',').map((name) => eventNamed(name, 'events')),
  statuses: flags.status === undefined ? undefined : parseStatusLetters(flags.status, 'status'),
  types: flags.type?.split(',').map((name) => parseType(name, 'type')),
  terminal: flags.terminal,
  merchant: flags.merchant,
})
