import { Refusal } from '../../../contract/errors.ts'
import { headerNames, sandboxHeaders } from '../../../contract/headers.ts'
import { type OperationName, operations } from '../../../contract/operations.ts'
import { addressed, curlCommand, tillboxCommand } from '../../../contract/presentation/copy-as.ts'
import type { Members } from '../../../contract/validate.ts'
import type { FormRequest } from '../../../sandbox/answering/answer.ts'
import { keyFlag, publicApiKey, withoutDefaultIds } from '../../../sandbox/request-log/hide-secrets.ts'
import { Body } from '../../components/http-message.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'

/** What does the same from a shell. */
export interface Equivalents {
  /** Absent for what no command does. */
  readonly command?: string
  readonly curl: string
}

/** Headers of a request of the service; curl makes their values. */
const serviceHeaders = [
  [headerNames.authorization, ''],
  [headerNames.clientRequestId, ''],
  [headerNames.timestamp, ''],
] as const

/** A request that pages show for a shell. */
interface ShellRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string
  /** Whose key it has; of a request of the control interface, nobody's. */
  readonly appId: string
  readonly outcome?: string | null
  /** The operation whose command does it, its members, and the currency of amounts that name none. */
  readonly command?: { readonly name: OperationName; readonly members: Members; readonly currency?: string }
  /** Where the sandbox is reached. */
  readonly baseUrl: string
}

/** A request as curl, and as a command where one does it. */
export function inShell({ directory }: PagesContext, request: ShellRequest): Equivalents {
  const { method, target, body, appId, outcome = null, command, baseUrl } = request
  const publicKey = publicApiKey(directory, appId)
  const outcomes = outcome === null ? [] : [[sandboxHeaders.outcome, outcome] as const]
  const headers = [
    ...(target.startsWith('/v1/') ? serviceHeaders : []),
    ...(body === '' ? [] : [[headerNames.contentType, 'application/json'] as const]),
    ...outcomes,
  ]
  const curl = curlCommand({ method, url: `${baseUrl}${target}`, headers, body, code: '0', publicKey })
  if (command === undefined) return { curl }
  const { name, members, currency } = command
  const words = tillboxCommand(name, withoutDefaultIds(directory, members), outcomes, currency)
  return { command: addressed(`${words}${keyFlag(directory, appId, publicKey)}`, baseUrl), curl }
}

/**
 * The command and the curl line that send what a form would. Their id is new: they may be sent as well.
 * `currency`: of amounts that name none.
 */
export function formEquivalents(context: PagesContext, request: FormRequest, currency?: string): Equivalents {
  const { operation, appId, merchantId, members, outcome, baseUrl } = request
  const { transactionRequestId: id, ...typed } = members
  const { method, path } = operations[operation]
  const named = { appId, merchantId, ...typed }
  const curlId = typeof id === 'string' && { transactionRequestId: id.replace(/^dashboard-/, 'curl-') }
  return inShell(context, {
    method,
    target: path,
    appId,
    outcome,
    baseUrl,
    body: JSON.stringify({ ...named, ...curlId }),
    command: { name: operation, members: named, ...(currency && { currency }) },
  })
}

/** Both, or neither while a field cannot be read; a script keeps them as the form above them is. */
export function EquivalentsPanel({ make }: { readonly make: () => Equivalents }) {
  let shown: readonly (readonly [title: string, text: string])[] = []
  try {
    const { command, curl } = make()
    shown = [
      ...(command === undefined ? [] : [['As a tillbox command', command] as const]),
      ['As curl', curl],
    ]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return (
    <section
      class="equivalents grid grid-cols-1 gap-3 inert:opacity-50"
      aria-label="The same from a shell"
      data-equivalents
    >
      {shown.length === 0 && (
        <p class="text-sm text-ink-soft">The command and curl appear here once every field is valid.</p>
      )}
      {shown.map(([title, text]) => (
        <div class="*:[.body]:mt-1">
          <h2 class="text-sm">{title}</h2>
          <Body label={title} text={text} />
        </div>
      ))}
    </section>
  )
}
