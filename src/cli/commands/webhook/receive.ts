import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { integer, string } from '@oclif/core/flags'
import type { Verdict } from '../../../contract/control/webhook-signing.ts'
import { highestPort } from '../../../contract/headers.ts'
import { verifyWebhook } from '../../../contract/signature/verify-webhook.ts'
import { BodyLimitError, readBounded, webhookBounds } from '../../../contract/transport/bounded-body.ts'
import { BareCommand, linesFlags } from '../../base-command.ts'
import { portRefusal } from '../../errors/system-error.ts'
import { parseWait } from '../../input/typed-values.ts'
import { onInterruptionOrParentEnd } from '../../interruption.ts'
import { jsonText } from '../../output/json-text.ts'
import type { VerifiedWebhook } from '../../webhook/render-webhooks.ts'
import { resolveSignatureCheck, secretFlags, signatureInShort } from '../../webhook/webhook-input.ts'

/** Webhooks that are read, checked or held back at once; a further one is answered 503. */
const mostInHand = 200

export default class WebhookReceive extends BareCommand {
  static override summary = 'Receive webhooks and check each signature.'
  static override description =
    'A receiver for tests. It answers 200, 401 with the reason for a wrong signature, and 413 for a body over 1 MiB. An ' +
    `unsigned webhook is accepted only when the sandbox signs none. Pass its URL to sandbox start --notify-url, or as a request's notifyUrl. Ctrl-C stops it.\n\n${signatureInShort}`
  static override examples = [
    'tillbox webhook receive',
    'tillbox webhook receive --port 4000 --status 500 --times 3 --delay 2s --json',
  ]
  static override flags = {
    port: integer({ description: 'Port; 0 picks a free one.', default: 0, min: 0, max: highestPort }),
    status: integer({ description: 'HTTP status to answer with.', default: 200, min: 200, max: 599 }),
    times: integer({ description: 'How often to answer --status before 200; default: always.', min: 1 }),
    delay: string({
      description: 'How long to wait before answering: 2s, 500ms, or seconds.',
      default: '0s',
    }),
    ...secretFlags,
  }
  static override baseFlags = linesFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookReceive)
    const delay = parseWait(flags.delay, 'delay')
    let check = await resolveSignatureCheck(flags)
    const ended = onInterruptionOrParentEnd()
    let remaining = flags.times ?? Number.POSITIVE_INFINITY
    const receive: RequestListener = async (request, response) => {
      const headers = request.headers as VerifiedWebhook['headers']
      const received = { path: request.url ?? '/', headers }
      const answer = async (status: number, body: string, verdict: Verdict, refusal = 401) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(answerTo(refusal, verdict))
        const told = { at: new Date().toISOString(), ...received, body, status, verdict }
        await this.show(told, async () =>
          (await import('../../webhook/render-webhooks.ts')).renderReceived(told),
        )
      }
      const read = await readBounded(request, webhookBounds).catch((error: Error) => error)
      if (read instanceof BodyLimitError) {
        leaveSoon(request)
        const why = `the body was refused: ${read.message}`
        return answer(read.status, '', { valid: false, why, remedy: 'Send a smaller body' }, read.status)
      }
      if (read instanceof Error) throw read
      const body = read.toString()
      const verify = () => verifyWebhook({ headers, body }, check.secret, Date.now(), check.sender)
      let verdict = verify()
      if (!verdict.valid && flags.secret === undefined) {
        check = await resolveSignatureCheck(flags).catch(() => check) // it may have been rotated since
        verdict = verify()
      }
      const status = !verdict.valid ? 401 : remaining > 0 ? flags.status : 200
      if (verdict.valid) remaining -= 1
      await sleep(delay, undefined, { signal: ended.signal })
      await answer(status, body, verdict)
    }
    let inHand = 0
    const server = createServer((request, response) => {
      if (inHand >= mostInHand) {
        response.writeHead(503).end()
        leaveSoon(request)
        return
      }
      inHand += 1
      Promise.resolve(receive(request, response))
        .catch(() => response.destroy()) // the sender is gone, or we are
        .finally(() => {
          inHand -= 1
        })
    })
    await listening(server, flags.port)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    if (flags.json) process.stdout.write(jsonText({ url }))
    else process.stderr.write(`Receiving at ${url}\n`)
    await once(ended.signal, 'abort')
    server.closeAllConnections()
    server.close()
  }
}

/** Discards the rest of a request, so that its sender can read the answer; closes after two seconds. */
function leaveSoon(request: IncomingMessage): void {
  request.resume()
  setTimeout(() => {
    if (!request.complete) request.destroy()
  }, 2_000).unref()
}

/** Body of the answer: taken, or why not. */
const answerTo = (refusal: number, { valid, why, remedy }: Verdict): string =>
  JSON.stringify(valid ? { code: '0', message: 'received' } : { code: String(refusal), message: why, remedy })

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portRefusal(port, error)))
    server.listen(port, '127.0.0.1', resolve)
  })
}
