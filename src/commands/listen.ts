import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { string } from '@oclif/core/flags'
import type { StreamedNotification } from '../api/webhooks.ts'
import { BaseCommand, stateFlag } from '../cli/base-command.ts'
import { exitHelp } from '../cli/exit-codes.ts'
import type { SentOn } from '../cli/local-post.ts'
import { placeFlag, sandboxOf, urlFrom } from '../cli/place.ts'
import { headerFrom } from '../cli/webhook-input.ts'
import type { Place } from '../client/discover.ts'

export default class Listen extends BaseCommand {
  static override summary = 'Hear every notification of the sandbox, and send each on to your own server.'
  static override description =
    'A notification is sent on byte for byte, with its headers and signature. When the sandbox or this command is ' +
    `restarted, what was missed follows. Ctrl-C ends it.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> listen --forward-to http://localhost:3000/hook',
    '<%= config.bin %> listen --events payment --terminal TBX-AUTO-001 --json',
    '<%= config.bin %> listen --record notifications.ndjson',
  ]
  static override flags = {
    'forward-to': string({ description: 'Your URL; path and query are kept.' }),
    events: string({
      description: 'Only these: payment, terminal, or terminal events by name; separated by commas.',
      helpValue: '<names>',
    }),
    terminal: string({ description: 'Only of this terminal.' }),
    header: string({ description: 'Header to add, as name:value; may be repeated.', multiple: true }),
    record: string({ description: 'File to write every notification to, for webhook replay.' }),
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Listen)
    const target =
      flags['forward-to'] === undefined ? undefined : new URL(urlFrom(flags['forward-to'], 'forward-to'))
    const added = Object.fromEntries((flags.header ?? []).map(headerFrom))
    const wanted = flags.events?.split(',').map((name) => name.trim())
    const place = await sandboxOf(flags)
    const memory = memoryFor(place.state, flags['forward-to'] ?? '')
    const ended = new AbortController()
    process.once('SIGINT', () => ended.abort())
    process.once('SIGTERM', () => ended.abort())
    if (!flags.json)
      process.stderr.write(`Listening to ${place.baseUrl}${target ? `, sending on to ${target.href}` : ''}\n`)
    for await (const notification of this.everything(place, memory, ended.signal)) {
      if (!fits(notification, wanted, flags.terminal)) continue
      if (flags.record !== undefined)
        appendFileSync(flags.record, `${JSON.stringify({ at: Date.now(), ...notification })}\n`)
      const sent = target === undefined ? null : await forward(target, notification, added)
      await this.tell(flags.json, notification, sent)
    }
  }

  /** Everything that is heard, over restarts of the sandbox. */
  async *everything(place: Place, memory: Memory, signal: AbortSignal): AsyncGenerator<StreamedNotification> {
    const { readEvents } = await import('../client/event-stream.ts')
    const { Unreachable } = await import('../client/http.ts')
    for (let pause = 200; !signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        for await (const notification of readEvents(place, memory.last(), signal)) {
          pause = 200
          yield notification
          memory.keep(notification.id)
        }
      } catch (error) {
        const lost =
          error instanceof Unreachable ||
          ['ECONNRESET', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')
        if (!lost) throw error
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async tell(asJson: boolean, notification: StreamedNotification, sent: SentOn | null): Promise<void> {
    if (asJson) {
      process.stdout.write(`${JSON.stringify({ ...notification, ...(sent && { forwarded: sent }) })}\n`)
      return
    }
    const { renderHeard } = await import('../cli/render/webhooks.ts')
    process.stdout.write(renderHeard(notification, sent))
  }
}

/** Sends on; a server that is restarting is tried again for a while. */
async function forward(
  target: URL,
  { headers, body }: StreamedNotification,
  added: Record<string, string>,
): Promise<SentOn> {
  const { sendOn } = await import('../cli/local-post.ts')
  let sent = await sendOn(target, { ...headers, ...added }, body)
  for (let pause = 250; sent.status === null && pause <= 4_000; pause *= 2) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    sent = await sendOn(target, { ...headers, ...added }, body)
  }
  return sent
}

function fits(
  { kind, event, terminalSn }: StreamedNotification,
  wanted: readonly string[] | undefined,
  terminal: string | undefined,
): boolean {
  if (terminal !== undefined && terminalSn !== terminal) return false
  return wanted === undefined || wanted.includes(kind) || (event !== null && wanted.includes(event))
}

/** The last notification that was dealt with, over restarts of this command; kept beside the state. */
interface Memory {
  last(): string | undefined
  keep(id: string): void
}

function memoryFor(folder: string, target: string): Memory {
  const path = join(folder, 'listeners.json')
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    } catch {
      return {} // the first time, or cut off: then it begins with what comes
    }
  }
  let last = read()[target]
  return {
    last: () => last,
    keep: (id) => {
      last = id
      if (existsSync(folder))
        writeFileSync(path, `${JSON.stringify({ ...read(), [target]: id })}\n`, { mode: 0o600 })
    },
  }
}
