import { appendFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import type { SandboxAddress } from '../../client/discover.ts'
import { RecentIds } from '../../client/server-sent-events.ts'
import type { StreamedNotification } from '../../contract/control/webhook-stream.ts'
import { ownerOnly } from '../../shared/files/files.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { BareCommand, linesFlags } from '../base-command.ts'
import { resolveSandbox, sandboxFinder, sandboxFlags } from '../connection/sandbox-address.ts'
import { usingFile } from '../errors/system-error.ts'
import { parseRetries } from '../input/typed-values.ts'
import { onInterruptionOrParentEnd } from '../interruption.ts'
import { clean } from '../output/clean.ts'
import { jsonText, readableTimes } from '../output/json-text.ts'
import { shownUrl } from '../sandbox/shown-start.ts'
import { fetchSerials } from '../terminal/terminal-command.ts'
import type { ShowListened } from '../webhook/listen/listen-to.ts'
import type { Output } from '../webhook/listen/live-list.ts'
import {
  eventNamed,
  eventNames,
  parseStatusLetters,
  parseType,
  recordFilterFlags,
} from '../webhook/notification-filter.ts'
import { addedHeaders, secretHint, targetFrom } from '../webhook/webhook-input.ts'

export default class Listen extends BareCommand {
  static override summary = 'Show every notification, and forward each to your server.'
  static override description =
    'Notifications are forwarded byte for byte, signed as the sandbox signs them. Only HTTP 200 acknowledges one; any other answer is ' +
    'retried, in the order of webhook order. While your server is down, notifications wait. After a restart of the sandbox ' +
    'or of this command, missed notifications are sent. tillbox webhook list shows the deliveries; webhook faults and ' +
    'webhook hold apply. In a terminal window arrows select a delivery, r sends it again and q quits.'
  static override examples = [
    'tillbox listen localhost:3000/hook',
    'tillbox listen 3000/hook 4000/other --events payment --print',
    'tillbox listen --status declined --type sale --terminal TBX-AUTO-001 --json',
    'tillbox listen --record notifications.ndjson',
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
    'from-now': boolean({ description: 'Start with the next notification; skip missed ones.' }),
    header: string({ description: 'Header to add, as name:value. Can be repeated.', multiple: true }),
    record: string({ description: 'File to append every notification to, for webhook replay.' }),
  }
  static override baseFlags = { ...linesFlags, ...sandboxFlags }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Listen)
    const typed = (argv as string[]).map((text) => targetFrom(text, 'url', '<url>'))
    const urls = [...typed, ...(flags['forward-to'] ?? []).map((text) => targetFrom(text, 'forward-to'))]
    const targets = [...new Set(urls)].map((url) => new URL(url).href)
    const added = addedHeaders(flags.header)
    const wanted = {
      listener: hostname().replaceAll(/[^\x21-\x7e]/g, '-') || 'localhost', // keeps its URLs apart from those of others
      events: flags.events?.split(',').map((name) => eventNamed(name, 'events')),
      status: flags.status && parseStatusLetters(flags.status).join(),
      types: flags.type?.split(',').map((name) => parseType(name)),
      terminal: flags.terminal,
      merchant: flags.merchant,
      ...(flags.retries !== undefined && { retries: [...parseRetries(flags.retries)] }),
      addedHeaders: Object.keys(added),
      fromNow: flags['from-now'],
    }
    const { record } = flags
    if (record !== undefined) appendTo(record, '')
    const sandbox = await resolveSandbox(flags)
    if (flags.terminal !== undefined) await warnOfUnknown(sandbox, flags.terminal)
    const isForwarding = targets.length > 0
    const secret = isForwarding ? await secretHint(sandbox) : ''
    const ended = onInterruptionOrParentEnd()
    const forwarding = isForwarding ? `, forwarding to ${targets.map(shownUrl).join(' and ')}` : ''
    const ready = `Listening to ${sandbox.baseUrl}${forwarding}\n${secret}`.trimEnd()
    const output = await chooseOutput(flags.json, ended)
    let said = ''
    const say = (text: string) => {
      if (text !== said) output.say(text) // several endpoints may report the same
      said = text
    }
    const find = sandboxFinder(flags, sandbox)
    const show = makePrinter(flags, output, makeRecorder(record))
    const { listenTo } = await import('../webhook/listen/listen-to.ts')
    try {
      await Promise.all(
        (isForwarding ? targets : [undefined]).map((url) =>
          listenTo(
            { find, added, ready, say, wanted: { ...wanted, url }, signal: ended.signal },
            show,
          ).finally(() => ended.abort()),
        ),
      )
    } finally {
      output.close()
    }
  }
}

/** Adds each notification to the recording once; without a recording it does nothing. */
function makeRecorder(record: string | undefined): (notification: StreamedNotification) => void {
  const recorded = new RecentIds()
  return (notification) => {
    if (record === undefined || recorded.has(notification.id)) return
    recorded.add(notification.id)
    appendTo(record, `${JSON.stringify({ at: Date.now(), ...notification })}\n`)
  }
}

const makePrinter =
  (
    { json, print }: { readonly json: boolean; readonly print: boolean },
    output: Output,
    keep: (notification: StreamedNotification) => void,
  ): ShowListened =>
  async (notification, made, resend) => {
    keep(notification)
    if (json)
      return output.print(jsonText(readableTimes({ ...notification, ...(made && { forwarded: made }) })))
    const { renderListened, renderPayload } = await import('../webhook/listen/render-listen.ts')
    const line = renderListened(notification, made ?? null)
    const text = print ? `${line}${renderPayload(notification)}` : line
    const { stripVTControlCharacters } = await import('node:util')
    const [first = ''] = stripVTControlCharacters(line).split('\n')
    output.print(text, resend && { text: `${first}  ${notification.transactionId}`, resend })
  }

/** In a terminal window with keys, elsewhere as lines. */
async function chooseOutput(asJson: boolean, ended: AbortController): Promise<Output> {
  const { liveOutput, plainOutput } = await import('../webhook/listen/live-list.ts')
  if (asJson || !process.stdin.isTTY || !process.stdout.isTTY) return plainOutput()
  return liveOutput({ input: process.stdin, output: process.stdout }, process.stderr, () => ended.abort())
}

/** Warns of an unknown terminal: it may be registered later, but most likely its name is wrong. */
async function warnOfUnknown(sandbox: SandboxAddress, serial: string): Promise<void> {
  const serials = await fetchSerials(sandbox)
  if (!serials.includes(serial))
    process.stderr.write(`The sandbox has no terminal ${serial} yet: ${clean(suggestion(serial, serials))}\n`)
}

const appendTo = (path: string, text: string): void =>
  usingFile(
    () => appendFileSync(path, text, { mode: ownerOnly }),
    `Cannot write ${path}`,
    'Name another file with --record, in a folder that exists; or free disk space',
    'record',
  )
