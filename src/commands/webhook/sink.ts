import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { integer, string } from '@oclif/core/flags'
import { BaseCommand, jsonLinesFlag, stateFlag } from '../../cli/base-command.ts'
import { durationOf } from '../../cli/duration.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { placeFlag } from '../../cli/place.ts'
import { signatureInShort } from '../../cli/signature-help.ts'
import { UsageError } from '../../cli/usage-error.ts'
import { checkOf, encodingFlag, secretFlag } from '../../cli/webhook-input.ts'
import { type Verdict, verifyWebhook } from '../../webhook/verify.ts'

export default class WebhookSink extends BaseCommand {
  static override printsLines = true
  static override summary = 'Receive webhooks, check each signature, and answer as you say.'
  static override description =
    `A receiver to test against, without an application of your own. It answers 200, and 401 with the reason when a signature ` +
    `does not fit; without a signature only when its sandbox signs none. Give its URL to sandbox start --notify-url or a request's notifyUrl. Ctrl-C ends it.\n\n${signatureInShort}\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> webhook sink',
    '<%= config.bin %> webhook sink --port 4000 --status 500 --times 3 --delay 2s --json',
  ]
  static override flags = {
    port: integer({ description: 'Port; 0 picks a free one.', default: 0, min: 0, max: 65535 }),
    status: integer({ description: 'HTTP status to answer with.', default: 200, min: 200, max: 599 }),
    times: integer({ description: 'How often --status is answered; then 200. Left out, always.', min: 1 }),
    delay: string({ description: 'How long to wait before an answer.', default: '0s' }),
    secret: secretFlag,
    'signature-encoding': encodingFlag,
    ...jsonLinesFlag,
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookSink)
    const delay = durationOf(flags.delay, 'delay')
    let check = await checkOf(flags)
    const ended = new AbortController()
    let left = flags.times ?? Number.POSITIVE_INFINITY
    const receive: RequestListener = async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string | undefined>
      let verdict = verifyWebhook({ headers, body }, check.secret, Date.now(), check.sender)
      if (!verdict.valid && flags.secret === undefined) {
        check = await checkOf(flags).catch(() => check) // it may have been rotated since
        verdict = verifyWebhook({ headers, body }, check.secret, Date.now(), check.sender)
      }
      const status = !verdict.valid ? 401 : left > 0 ? flags.status : 200
      if (verdict.valid) left -= 1
      await sleep(delay, undefined, { signal: ended.signal })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(answerTo(verdict))
      await this.tell(flags.json, { path: request.url ?? '/', headers, body, status, verdict })
    }
    const server = createServer((request, response) => {
      Promise.resolve(receive(request, response)).catch(() => response.destroy()) // the sender is gone, or we are
    })
    await listening(server, flags.port)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    if (flags.json) process.stdout.write(`${JSON.stringify({ url })}\n`)
    else process.stderr.write(`Receiving at ${url}\n`)
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve())
      process.once('SIGTERM', () => resolve())
    })
    ended.abort()
    server.closeAllConnections()
    server.close()
  }

  async tell(asJson: boolean, heard: Heard): Promise<void> {
    if (asJson) process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...heard })}\n`)
    else process.stdout.write((await import('../../cli/render/webhooks.ts')).renderReceived(heard))
  }
}

/** Body of the answer: taken, or why not. */
const answerTo = ({ valid, why, remedy }: Verdict): string =>
  JSON.stringify(valid ? { code: '0', message: 'received' } : { code: '401', message: why, remedy })

/** Errors: UsageError when the port cannot be had. */
function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on: ${message}`
      reject(new UsageError(`Port ${port} ${why}`, 'Take another --port; 0 picks a free one', 'port'))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

interface Heard {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly status: number
  readonly verdict: Verdict
}
