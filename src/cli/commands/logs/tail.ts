import { boolean, integer, option, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import type { FoundSandbox } from '../../../client/discover.ts'
import { type Connected, reconnecting } from '../../../client/reconnect.ts'
import { eventValue, RecentIds, readStream } from '../../../client/server-sent-events.ts'
import { controlLimits } from '../../../contract/control/control.ts'
import { controls } from '../../../contract/control/controls/controls.ts'
import { type RequestSummary, requestSummary } from '../../../contract/control/request-log-answers.ts'
import { operationNames } from '../../../contract/operations.ts'
import { BareCommand, linesFlags } from '../../base-command.ts'
import { resolveSandbox, sandboxFinder, sandboxFlags } from '../../connection/sandbox-address.ts'
import { onInterruptionOrParentEnd } from '../../interruption.ts'
import { flaggedTransaction, transactionFlag } from '../../operation/earlier-result.ts'

export default class LogsTail extends BareCommand {
  static override summary = 'Follow requests as the sandbox handles them.'
  static override description =
    'Starts with the last requests and continues across restarts of the sandbox. A refused request says why. Identical ' +
    'look-ups are one line with their number; --json prints the request once more, with the number in times. Ctrl-C stops it.\n\n' +
    `Values of --operation: ${operationNames.join(', ')}.`
  static override examples = [
    'tillbox logs tail',
    'tillbox logs tail --status refused --operation sale',
    'tillbox logs tail --no-follow --limit 100 --json',
  ]
  static override memberFlags = { transactionId: 'transaction' }
  static override flags = {
    status: option({
      description: 'Only accepted or only refused requests.',
      options: ['accepted', 'refused'] as const,
    })(),
    operation: option({
      description: 'Only requests of this operation.',
      options: operationNames,
      helpValue: '<name>',
    })(),
    ...transactionFlag('Only requests about this transaction'),
    order: string({ description: 'Only requests that name this order.' }),
    limit: integer({
      description: 'Number of past requests to start with.',
      default: 10,
      min: 0,
      max: controlLimits.requests,
    }),
    follow: boolean({ description: 'Wait for further requests.', default: true, allowNo: true }),
  }
  static override baseFlags = { ...linesFlags, ...sandboxFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsTail)
    const sandbox = await resolveSandbox(flags)
    const transactionId = await flaggedTransaction(flags, sandbox)
    const wanted = {
      limit: String(flags.limit),
      ...(flags.status && { status: flags.status }),
      ...(flags.operation && { operation: flags.operation }),
      ...(transactionId && { transactionId }),
      ...(flags.order && { order: flags.order }),
    }
    if (!flags.follow) {
      const { requests } = await control(sandbox, 'requests', wanted)
      for (const request of requests) await this.tell(request)
      return
    }
    const words = {
      open: `Requests of ${sandbox.baseUrl}; Ctrl-C stops it`,
      gone: 'The sandbox is gone; waiting for it',
      back: 'The sandbox is back',
    }
    const say = (what: keyof typeof words) => process.stderr.write(`${words[what]}\n`)
    const { signal } = onInterruptionOrParentEnd()
    let repeated: RequestSummary | undefined
    const tellRepeated = async () => {
      if (repeated !== undefined) await this.tell(repeated, true)
      repeated = undefined
    }
    const requests = followRequests(sandboxFinder(flags, sandbox), wanted, signal, say)
    for await (const { request, isKnown } of requests) {
      if (repeated?.traceId !== request.traceId) await tellRepeated()
      if (isKnown) repeated = request
      else await this.tell(request)
    }
    await tellRepeated()
  }

  /** Prints a request as a document or a line; of one printed before, how often it was repeated since. */
  tell(request: RequestSummary, isKnown = false): Promise<void> {
    return this.show(request, async () => {
      const { renderRepeated, renderRequestLine } = await import('../../output/render-requests.ts')
      const { terminalWidth } = await import('../../output/theme.ts')
      return (isKnown ? renderRepeated : renderRequestLine)(request, terminalWidth())
    })
  }
}

/**
 * Requests as the sandbox handles them, over its restarts; those handled while the connection was lost
 * follow. `isKnown`: of one that was shown before, and is shown again with its count. `filter`: query
 * parameters that select requests. `find` finds the sandbox. `say` is called when the connection opens, ends
 * or returns.
 */
function followRequests(
  find: () => Promise<FoundSandbox>,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
  say: (what: 'open' | 'gone' | 'back') => void,
) {
  const shown = new RecentIds(controlLimits.requests)
  let [lastId, sandboxId]: [string | undefined, string | undefined] = [undefined, undefined]
  let hasBegun = false
  const session = async function* (connected: Connected) {
    const sandbox = await find()
    if (hasBegun && lastId === undefined && sandbox.id !== sandboxId) lastId = 'before the restart'
    sandboxId = sandbox.id
    const limit = hasBegun ? { limit: '0' } : {}
    const { path } = controls['request-events']
    const query = new URLSearchParams({ ...filter, ...limit })
    const opened = () => {
      hasBegun = true
      const kind = connected()
      if (kind !== 'still') say(kind === 'first' ? 'open' : 'back')
    }
    for await (const { id, data } of readStream(sandbox, `${path}?${query}`, lastId, signal, opened)) {
      const isKnown = id !== undefined && shown.has(id)
      if (!isKnown) lastId = id ?? lastId
      if (data === null) continue
      if (id !== undefined) shown.add(id)
      const request = eventValue<RequestSummary>(sandbox, path, data, requestSummary)
      if (!isKnown || request.times > 1) yield { request, isKnown }
    }
  }
  return reconnecting(session, signal, (wasConnected) => {
    if (wasConnected) say('gone')
  })
}
