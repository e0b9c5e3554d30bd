import { headerNames, sandboxHeaders } from '../../../contract/headers.ts'
import { operations } from '../../../contract/operations.ts'
import { addressed, commandOf, curlOf } from '../../../presentation/copy-as.ts'
import type { OwnRequest } from '../../../request-log/own-request.ts'
import { withoutOwn } from '../../../request-log/request-views.ts'
import { Body } from '../../components/bodies/http-message.tsx'
import type { PagesContext } from '../../frame/context.ts'

/** What does the same from a shell. */
export interface Equivalents {
  readonly command: string
  readonly curl: string
}

/** The same as a form would do, as a command and as curl. The curl request has an id of its own: it may be sent as well. */
export function equivalentsOf({ directory }: Pick<PagesContext, 'directory'>, own: OwnRequest): Equivalents {
  const { operation, appId, merchantId, members, outcome, origin } = own
  const whole = { appId, merchantId, ...members }
  const asked: (readonly [string, string])[] = outcome === null ? [] : [[sandboxHeaders.outcome, outcome]]
  const { method, path } = operations[operation]
  const requestId = (members.transactionRequestId as string | undefined)?.replace(/^dashboard-/, 'curl-')
  const publicKey = publicKeyOf(directory, appId)
  const isOther = appId !== directory.defaultApplication.appId
  const key = isOther && publicKey !== null ? ` --api-key ${publicKey}` : ''
  return {
    command: addressed(`${commandOf(operation, withoutOwn(directory, whole), asked)}${key}`, origin),
    curl: curlOf({
      method,
      url: `${origin}${path}`,
      headers: [
        [headerNames.authorization, ''],
        [headerNames.contentType, 'application/json'],
        [headerNames.clientRequestId, ''],
        [headerNames.timestamp, ''],
        ...asked,
      ],
      body: JSON.stringify({ ...whole, ...(requestId && { transactionRequestId: requestId }) }),
      code: '0',
      publicKey,
    }),
  }
}

/** The key of the application where it is one of the fixtures': whoever started the sandbox knows it. Null for any other. */
function publicKeyOf(directory: PagesContext['directory'], appId: string): string | null {
  const application = directory.applicationNamed(appId)
  const current = application && directory.currentKey(application)
  return application?.keys.find(({ key }) => key === current)?.key ?? null
}

/** Both; a script keeps them as the form above them is. */
export const EquivalentsPanel = ({
  equivalents: { command, curl },
}: {
  readonly equivalents: Equivalents
}) => (
  <section class="equivalents" aria-label="The same from a shell" data-equivalents>
    {(
      [
        ['As a tillbox command', command],
        ['As curl', curl],
      ] as const
    ).map(([title, text]) => (
      <div>
        <h2>{title}</h2>
        <Body label={title} text={text} />
      </div>
    ))}
  </section>
)
