import { appendFileSync } from 'node:fs'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand, jsonLinesFlag, stateFlag } from '../cli/base-command.ts'
import { againBy, placeFlag, sandboxOf, urlFrom } from '../cli/connection/place.ts'
import { exitHelp } from '../cli/errors/exit-codes.ts'
import { UsageError, unknownName } from '../cli/errors/usage-error.ts'
import { clean } from '../cli/output/clean.ts'
import { jsonText } from '../cli/output/json-text.ts'
import { addedHeaders } from '../cli/webhook/added-headers.ts'
import { followNotifications } from '../cli/webhook/follow-notifications.ts'
import type { ForwardResult } from '../cli/webhook/forward.ts'
import { createForwarder } from '../cli/webhook/forward.ts'
import { listenerPosition } from '../cli/webhook/listener-position.ts'
import { control } from '../client/client.ts'
import type { SandboxAddress } from '../client/discover.ts'
import type { TerminalList } from '../contract/sandbox/answers.ts'
import { type StreamedNotification, terminalEvents } from '../contract/webhooks.ts'
import { suggestion } from '../text/suggest.ts'

export default class Listen extends BaseCommand {
  static override printsLines = true
  static override summary = 'Hear every notification of the sandbox, and send each on to your own server.'
  static override description =
    'A notification is sent on byte for byte, with its headers and signature. When the sandbox or this command is ' +
    `restarted, what was missed follows; while your server does not answer, notifications wait, and follow in order ` +
    `when it does. Any answer counts as one: what it was is shown. Each line ends with the id, for tillbox webhook resend ` +
    `<id> --to <url>; webhook list and show tell of deliveries to a notifyUrl, which are another way. How far it came is kept in ` +
    `listeners.json of the state folder, or with --base-url of ~/.local/state/tillbox. Ctrl-C ends it.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> listen --forward-to http://localhost:3000/hook',
    '<%= config.bin %> listen --events payment --terminal TBX-AUTO-001 --json',
    '<%= config.bin %> listen --record notifications.ndjson',
  ]
  static override flags = {
    'forward-to': string({ description: 'Your URL, on whatever host; path and query are kept.' }),
    events: string({
      description: `Only these, separated by commas: payment, terminal, or ${terminalEvents.join(', ')}.`,
      helpValue: '<names>',
    }),
    terminal: string({ description: 'Only of this terminal.' }),
    'from-now': boolean({ description: 'Begin with what comes: what was missed does not follow.' }),
    header: string({ description: 'Header to add, as name:value; may be repeated.', multiple: true }),
    record: string({ description: 'File to write every notification to, for webhook replay.' }),
    ...jsonLinesFlag,
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Listen)
    const target =
      flags['forward-to'] === undefined ? undefined : new URL(urlFrom(flags['forward-to'], 'forward-to'))
    const added = addedHeaders(flags.header)
    const wanted = flags.events?.split(',').map(eventNamed)
    const { record } = flags
    if (record !== undefined) appendTo(record, '')
    const place = await sandboxOf(flags)
    if (flags.terminal !== undefined) await warnOfUnknown(place, flags.terminal)
    let waits = false
    const ended = new AbortController()
    let failure: unknown
    const position = listenerPosition(place, flags['forward-to'] ?? '', flags['from-now'], (error) => {
      failure = error
      ended.abort()
    })
    process.once('SIGINT', () => ended.abort())
    process.once('SIGTERM', () => ended.abort())
    const { signal } = ended
    const ready = `Listening to ${place.baseUrl}${target ? `, sending on to ${target.href}` : ''}`
    const forward = target && createForwarder(target, added, signal)
    const deal = async (notification: StreamedNotification): Promise<boolean> => {
      if (!fits(notification, wanted, flags.terminal)) return true
      const sent = forward === undefined ? null : await forward(notification)
      waits = sent?.status === null
      if (waits) return false
      if (record !== undefined) appendTo(record, `${JSON.stringify({ at: Date.now(), ...notification })}\n`)
      await this.tell(flags.json, notification, sent)
      return true
    }
    try {
      await followNotifications(againBy(flags, place), position, signal, ready, deal)
    } finally {
      position.flush()
    }
    if (failure !== undefined) throw failure
    if (waits) process.stderr.write(`${target?.href}: what it has not had follows at the next start\n`)
  }

  async tell(asJson: boolean, notification: StreamedNotification, sent: ForwardResult | null): Promise<void> {
    if (asJson) {
      process.stdout.write(jsonText({ ...notification, ...(sent && { forwarded: sent }) }))
      return
    }
    const { renderHeard } = await import('../cli/webhook/render-webhooks.ts')
    process.stdout.write(renderHeard(notification, sent))
  }
}

/** Says so of a terminal that is not there: it may be registered later, but mostly the name is wrong. */
async function warnOfUnknown(place: SandboxAddress, serial: string): Promise<void> {
  const { terminals } = await control<TerminalList>(place, 'terminals')
  const known = terminals.map(({ terminalSn }) => terminalSn)
  if (!known.includes(serial))
    process.stderr.write(`No terminal ${serial} is known yet: ${clean(suggestion(serial, known))}\n`)
}

/** A name of `--events`. Errors: UsageError. */
function eventNamed(text: string): string {
  const known = ['payment', 'terminal', ...terminalEvents]
  const name = text.trim()
  if (known.includes(name)) return name
  throw unknownName('event', name, known, 'events')
}

/** Adds to the recording. Errors: UsageError when it cannot be written. */
function appendTo(path: string, text: string): void {
  try {
    appendFileSync(path, text)
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written: ${(error as Error).message}`,
      'Name another file with --record, or make room',
      'record',
    )
  }
}

function fits(
  { kind, event, terminalSn }: StreamedNotification,
  wanted: readonly string[] | undefined,
  terminal: string | undefined,
): boolean {
  if (terminal !== undefined && terminalSn !== terminal) return false
  return wanted === undefined || wanted.includes(kind) || (event !== null && wanted.includes(event))
}
