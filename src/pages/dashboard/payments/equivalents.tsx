import type { OwnRequest } from '../../../answering/answer.ts'
import { Refusal } from '../../../contract/errors.ts'
import { headerNames, sandboxHeaders } from '../../../contract/headers.ts'
import { operations } from '../../../contract/operations.ts'
import { addressed, commandOf, curlOf } from '../../../presentation/copy-as.ts'
import { keyFlag, publicKeyOf, withoutOwn } from '../../../request-log/hide-secrets.ts'
import { Body } from '../../components/http-message.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'

/** What does the same from a shell. */
export interface Equivalents {
  /** Absent for what no command does. */
  readonly command?: string
  readonly curl: string
}

/** Headers of a request of the service; curl makes their values. */
export const serviceHeaders = [
  [headerNames.authorization, ''],
  [headerNames.clientRequestId, ''],
  [headerNames.timestamp, ''],
] as const

/** The header of a body of JSON. */
export const jsonHeader = [headerNames.contentType, 'application/json'] as const

/**
 * The same as a form would do, as a command and as curl. Both have an id of their own: they may be sent as well.
 * `currency`: of amounts that name none.
 */
export function equivalentsOf({ directory }: PagesContext, own: OwnRequest, currency?: string): Equivalents {
  const { operation, appId, merchantId, members, outcome, baseUrl } = own
  const { transactionRequestId, ...typed } = members
  const outcomeHeaders: (readonly [string, string])[] =
    outcome === null ? [] : [[sandboxHeaders.outcome, outcome]]
  const { method, path } = operations[operation]
  const curlTransactionRequestId = (transactionRequestId as string | undefined)?.replace(
    /^dashboard-/,
    'curl-',
  )
  const publicKey = publicKeyOf(directory, appId)
  const shown = withoutOwn(directory, { appId, merchantId, ...typed })
  return {
    command: addressed(
      `${commandOf(operation, shown, outcomeHeaders, currency)}${keyFlag(directory, appId, publicKey)}`,
      baseUrl,
    ),
    curl: curlOf({
      method,
      url: `${baseUrl}${path}`,
      headers: [...serviceHeaders, jsonHeader, ...outcomeHeaders],
      body: JSON.stringify({
        appId,
        merchantId,
        ...typed,
        ...(curlTransactionRequestId && { transactionRequestId: curlTransactionRequestId }),
      }),
      code: '0',
      publicKey,
    }),
  }
}

/** Both, or neither while a field of the form cannot be read; a script keeps them as the form above them is. */
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
  const [label, isEmpty] = ['The same from a shell', shown.length === 0]
  return (
    <section
      class="equivalents stack gap-3 pad-top-3 rule-above"
      aria-label={label}
      data-equivalents
      hidden={isEmpty}
    >
      {shown.map(([title, text]) => (
        <div>
          <h2 class="small">{title}</h2>
          <Body label={title} text={text} />
        </div>
      ))}
    </section>
  )
}
