import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import type { ServiceRequest } from '../../client/request/service-request.ts'
import { parseJson } from '../../client/tolerant.ts'
import { requireNamed } from '../../client/which-sandbox.ts'
import { headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { beginsOrder } from '../../contract/operation-members.ts'
import { isLookUp } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import { BaseCommand } from '../base-command.ts'
import { liveFlag, requireLiveConsent } from '../connection/live.ts'
import { connectionFlags, type Profile, resolveProfile } from '../connection/profile.ts'
import { requireSandbox } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { warn } from '../hints/same-sandbox.ts'
import { sentHeaderFrom } from '../input/header.ts'
import {
  clientRequestIdFlag,
  dryRunFlags,
  inputSource,
  isDryRun,
  textOfInputFlag,
} from '../request/json-input.ts'
import {
  dataHelp,
  operationAt,
  pathFrom,
  type RawInput,
  rawRequest,
  reachesControl,
  sendRaw,
} from '../request/raw-request.ts'

const methods = ['get', 'post', 'put', 'delete']

/** No `--app-id` or `--merchant-id`: the user's data names both, because this command adds no members. */
const { 'app-id': _app, 'merchant-id': _merchant, ...connection } = connectionFlags

export default class Api extends BaseCommand {
  static override summary = 'Call any path of the service, with generated headers.'
  static override usage = 'api METHOD PATH [-d name=value]… [FLAGS]'
  static override description =
    'Sends exactly your data: only the headers for key, time and request id are generated, and no field is added. Prints the ' +
    'body of the answer: indented on a terminal, as it was sent when piped.\n\n' +
    `${dataHelp}\n\n` +
    'Paths under /_sandbox are for a tillbox sandbox only, and get no API key; put and delete are for them. Where money is ' +
    'real, it asks before it sends anything but a get.'
  static override examples = [
    'tillbox api get /v1/merchant/query',
    'tillbox api post /v1/semi-integration/transaction/sale -d amount.orderAmount=1000 -d amount.priceCurrency=USD -d transactionRequestId=order-1001-1 -d referenceOrderId=ORDER-1001',
    'tillbox api get /_sandbox/health --include',
    'tillbox api post /v1/settlement/batch-close --input close.json --curl',
  ]
  static override args = {
    method: stringArg({
      description: 'HTTP method: get, post, put or delete.',
      required: true,
      parse: methodFrom,
    }),
    path: stringArg({ description: 'Path of the service, such as /v1/transaction/query.', required: true }),
  }
  static override flags = {
    data: string({
      char: 'd',
      description: 'Field of the request: name=value, or name:=json. Repeat it for each.',
      helpValue: '<name=value>',
      multiple: true,
    }),
    input: string({
      description: 'File with the body, or - for standard input; data is added to it.',
      helpValue: '<file>',
    }),
    header: string({
      char: 'H',
      description:
        'Header to send. It replaces a generated one of that name; without a value, it removes it. Can be repeated.',
      helpValue: '<name:value>',
      multiple: true,
    }),
    include: boolean({ char: 'i', description: 'Print status and headers of the answer too.' }),
    ...dryRunFlags(false),
    ...connection,
    ...liveFlag,
    ...clientRequestIdFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api)
    const text = await textOfInputFlag(flags)
    const input: RawInput = {
      method: args.method.toUpperCase(),
      path: pathFrom(args.path),
      data: flags.data ?? [],
      input: text === undefined ? undefined : { text, source: inputSource(flags) },
      headers: (flags.header ?? []).map(sentHeaderFrom),
      clientRequestId: flags['client-request-id'],
    }
    const isDraft = isDryRun(flags)
    const isRefused = !isDraft && changesWhatIs(input)
    const told = isRefused ? 'refused' : input.method === 'GET' ? 'people' : 'everybody'
    const profile = await resolveProfile(flags, this.config.version, told)
    await requireRightService(profile, input)
    if (isRefused) requireNamed(profile.target)
    const request = rawRequest(profile.target, input)
    if (isDraft) {
      const typed = input.headers.map(([name]) => name)
      if (input.clientRequestId !== undefined) typed.push(headerNames.clientRequestId)
      const { renderDraft } = await import('../request/show-request.ts')
      const draft = renderDraft(request, { curl: flags.curl, ca: profile.target.ca, typed })
      return this.showAsIs(...draft)
    }
    if (input.method !== 'GET' && !reachesControl(profile.target, input.path)) {
      const command = `tillbox api ${args.method} ${input.path}`
      await requireLiveConsent(profile, command, flags.live, () =>
        liveEffectOfRaw(request, input.path, profile),
      )
    }
    const answer = await sendRaw(request, profile.target, input.path)
    const note = answer.headers[sandboxHeaders.note.toLowerCase()]
    if (note !== undefined) warn(String(note))
    const { answerDocument, judgeAnswer, plainText } = await import('../request/show-request.ts')
    await this.showAsIs(answerDocument(answer, flags), () => plainText(answer, flags))
    judgeAnswer(request, input.path, answer)
  }
}

async function methodFrom(text: string): Promise<string> {
  const method = text.toLowerCase()
  if (methods.includes(method)) return method
  throw new UsageError(
    ['<method>', `must be one of ${methods.join(', ')}, not ${text}`],
    'See `tillbox api --help`',
  )
}

/** True for a request that changes more than a new payment would. */
function changesWhatIs({ method, path }: RawInput): boolean {
  const operation = operationAt(path)
  return method !== 'GET' && (operation === undefined || !(isLookUp(operation) || beginsOrder(operation)))
}

/** What only a sandbox knows goes to no other service. */
async function requireRightService(profile: Profile, { path, headers }: RawInput): Promise<void> {
  if (reachesControl(profile.target, path)) await requireSandbox(profile, `The path ${path}`)
  const sandboxHeader = headers.find(([name]) => /^x-sandbox-/i.test(name))
  if (sandboxHeader !== undefined) await requireSandbox(profile, `The header ${sandboxHeader[0]}`)
}

/** The effect of a request with real money; of an unknown path, or another body, only its target. */
async function liveEffectOfRaw({ method, body = '' }: ServiceRequest, path: string, profile: Profile) {
  const operation = operationAt(path)
  const members = parseJson(body)
  if (operation === undefined || !isObject(members)) return `Send ${method} ${path}`
  const { liveEffectOf } = await import('../operation/live-effect.ts')
  return liveEffectOf(operation, members, profile)
}
