import { appendFileSync } from 'node:fs'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand, jsonLinesFlag } from '../cli/base-command.ts'
import { sandboxFinder, sandboxFlags, sandboxOf, urlFrom } from '../cli/connection/sandbox-address.ts'
import { exitHelp } from '../cli/errors/exit-codes.ts'
import { requireNamed, UsageError } from '../cli/errors/usage-error.ts'
import { onInterruption } from '../cli/interruption.ts'
import { clean } from '../cli/output/clean.ts'
import { jsonText } from '../cli/output/json-text.ts'
import { serialsOf } from '../cli/terminal/terminal-command.ts'
import { followNotifications } from '../cli/webhook/follow-notifications.ts'
import type { ForwardResult } from '../cli/webhook/forward.ts'
import { createForwarder } from '../cli/webhook/forward.ts'
import { listenerPosition } from '../cli/webhook/listener-position.ts'
import { addedHeaders } from '../cli/webhook/webhook-input.ts'
import type { SandboxAddress } from '../client/discover.ts'
import { type StreamedNotification, terminalEvents } from '../contract/sandbox/webhooks.ts'
import { suggestion } from '../text/suggest.ts'

export default class Listen extends BaseCommand {
  static override printsLines = true
  static override summary = 'Show every notification, and forward each to your server.'
  static override description =
    'Notifications are forwarded byte for byte, with their headers and signature. After a restart of the sandbox or of ' +
    'this command, missed notifications follow. While your server does not answer, notifications wait, then follow in ' +
    'order. Any HTTP status counts as an answer. Each line ends with the id for tillbox webhook resend <id> --to <url>. ' +
    'tillbox webhook list shows deliveries to a notifyUrl, which are separate. The position is kept in listeners.json of ' +
    `the state folder, or with --base-url in ~/.local/state/tillbox. Ctrl-C stops it.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> listen --forward-to http://localhost:3000/hook',
    '<%= config.bin %> listen --events payment --terminal TBX-AUTO-001 --json',
    '<%= config.bin %> listen --record notifications.ndjson',
  ]
  static override flags = {
    'forward-to': string({ description: 'URL of your server, on any host; path and query are kept.' }),
    events: string({
      description: `Only these events, separated by commas: payment, terminal, or ${terminalEvents.join(', ')}.`,
      helpValue: '<names>',
    }),
    terminal: string({ description: 'Only notifications of this terminal.' }),
    'from-now': boolean({ description: 'Start with the next notification; skip missed ones.' }),
    header: string({ description: 'Header to add, as name:value. Can be repeated.', multiple: true }),
    record: string({ description: 'File to append every notification to, for webhook replay.' }),
    ...jsonLinesFlag,
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Listen)
    const target =
      flags['forward-to'] === undefined ? undefined : new URL(urlFrom(flags['forward-to'], 'forward-to'))
    const added = addedHeaders(flags.header)
    const wanted = flags.events?.split(',').map(eventNamed)
    const { record } = flags
    if (record !== undefined) appendTo(record, '')
    const sandbox = await sandboxOf(flags)
    if (flags.terminal !== undefined) await warnOfUnknown(sandbox, flags.terminal)
    let waits = false
    const ended = onInterruption()
    let failure: unknown
    const position = listenerPosition(sandbox, flags['forward-to'] ?? '', flags['from-now'], (error) => {
      failure = error
      ended.abort()
    })
    const { signal } = ended
    const ready = `Listening to ${sandbox.baseUrl}${target ? `, forwarding to ${target.href}` : ''}`
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
      await followNotifications(sandboxFinder(flags, sandbox), position, signal, ready, deal)
    } finally {
      position.flush()
    }
    if (failure !== undefined) throw failure
    if (waits) process.stderr.write(`${target?.href}: unforwarded notifications follow at the next start\n`)
  }

  async tell(asJson: boolean, notification: StreamedNotification, sent: ForwardResult | null): Promise<void> {
    if (asJson) {
      process.stdout.write(jsonText({ ...notification, ...(sent && { forwarded: sent }) }))
      return
    }
    const { renderNotification } = await import('../cli/webhook/render-webhooks.ts')
    process.stdout.write(renderNotification(notification, sent))
  }
}

/** Says so of a terminal that is not there: it may be registered later, but mostly the name is wrong. */
async function warnOfUnknown(sandbox: SandboxAddress, serial: string): Promise<void> {
  const known = await serialsOf(sandbox)
  if (!known.includes(serial))
    process.stderr.write(`The sandbox has no terminal ${serial} yet: ${clean(suggestion(serial, known))}\n`)
}

/** A name of `--events`. Errors: UsageError. */
function eventNamed(text: string): string {
  const known = ['payment', 'terminal', ...terminalEvents].map((name) => ({ name }))
  return requireNamed('event', text.trim(), known, 'events').name
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

function fits(notification: StreamedNotification, events?: readonly string[], terminal?: string): boolean {
  const { kind, event, terminalSn } = notification
  if (terminal !== undefined && terminalSn !== terminal) return false
  return events === undefined || events.includes(kind) || (event !== null && events.includes(event))
}
