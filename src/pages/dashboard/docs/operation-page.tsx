import { type ErrorCode, errorTable, Refusal } from '../../../contract/errors.ts'
import {
  answerMembersOf,
  type DocumentedOperation,
  documentedOperation,
  type Member,
  refusalCodes,
  requestMembersOf,
} from '../../../docs/documented-operations.ts'
import { baseUrlOf, type Call, idInPath } from '../../../http/call.ts'
import type { SendToSelf } from '../../../http/send-to-self.ts'
import { Fold } from '../../components/basics.tsx'
import { Table } from '../../components/panel.tsx'
import type { MakePage, PagesContext, PageView } from '../../frame/page-view.tsx'
import { readFields } from '../../serving/form-fields.ts'
import { DocsFrame, Method } from './docs-page.tsx'
import { exampleFields, fieldNamesOf, isSendable, sendExample, withNewId } from './example.ts'
import { type ExampleState, examplePanel } from './example-panel.tsx'
import { Inline } from './markdown.tsx'

/** One operation; a query fills the fields of its example. Errors: SBX_NO_PATH. */
export const operationPage: MakePage = (context, { id, query, baseUrl }) => {
  const entry = documentedOperation(id)
  return operationView(context, entry, baseUrl, { fields: { ...exampleFields(context, entry), ...query } })
}

/**
 * Sends the example, and shows the answer beside it; the next one has another transaction request id. Card data is refused
 * before it is sent, and not shown again. Errors: SBX_NO_PATH, SBX_TOO_LARGE.
 */
export async function exampleAction(context: PagesContext, call: Call, send: SendToSelf): Promise<PageView> {
  const entry = documentedOperation(idInPath(call))
  const baseUrl = baseUrlOf(call)
  const anew = exampleFields(context, entry)
  try {
    const fields = await readFields(call, fieldNamesOf(entry))
    if (!isSendable(entry)) return operationView(context, entry, baseUrl, { fields: anew })
    const answer = await sendExample(context, call, entry, fields, send)
    const next = fields.body === undefined ? fields : { ...fields, body: withNewId(fields.body) }
    return operationView(context, entry, baseUrl, { fields: next, answer })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'SBX_CARD_DATA') throw error
    return operationView(context, entry, baseUrl, { fields: anew, refusal: error })
  }
}

const operationView = (
  context: PagesContext,
  entry: DocumentedOperation,
  baseUrl: string,
  state: ExampleState,
): PageView => ({
  title: entry.operation.summary,
  section: 'docs',
  body: () => (
    <DocsFrame current={`/docs/${entry.id}`}>
      <div class="docs-columns">
        <article class="panel">
          <Head entry={entry} />
          <Request entry={entry} />
          {entry.path !== null && <Answers entry={entry} />}
          {entry.path !== null && <Errors entry={entry} />}
        </article>
        {examplePanel(context, entry, baseUrl, state)}
      </div>
    </DocsFrame>
  ),
})

const Head = ({ entry: { method, path, operation, tag } }: { readonly entry: DocumentedOperation }) => (
  <header class="below-4 stack gap-2">
    <p class="note flex gap-1">
      <a href="/docs">Docs</a> <span aria-hidden="true">/</span> {tag}
      {path !== null && (
        <a class="docs-jump to-end" href="#example">
          Try it
        </a>
      )}
    </p>
    <h1 class="page-title tight">{operation.summary}</h1>
    <p class="small">
      <Method method={method} /> <span class="code">{path ?? 'to your server'}</span>
    </p>
    {operation.description !== undefined && (
      <p>
        <Inline text={operation.description} />
      </p>
    )}
  </header>
)

const foldLook = 'fold docs-fold rule-above above-3'

const Request = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const { path, query, body, headers } = requestMembersOf(operation)
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  return (
    <>
      <Members title="Path" members={path} />
      <Members title="Query" members={query} />
      <Members title="Body" members={body} />
      {type !== undefined && body.length === 0 && (
        <p class="quiet soft small">
          {operation.requestBody?.description ?? 'The body may be empty'} ({type}).
        </p>
      )}
      {operation.parameters.length === 0 && type === undefined && (
        <p class="quiet soft small">It takes no fields.</p>
      )}
      {headers.length > 0 && (
        <Fold summary="Headers" className={foldLook}>
          <Members title={null} members={headers} />
        </Fold>
      )}
    </>
  )
}

interface MembersProps {
  readonly title: string | null
  readonly members: readonly Member[]
  /** True for an answer, whose fields may be absent. */
  readonly isAnswer?: boolean
}

/** Fields one below the other: name, type, whether it is required, then meaning and limits. Nothing where there is none. */
const Members = ({ title, members, isAnswer = false }: MembersProps) =>
  members.length === 0 ? null : (
    <>
      {title !== null && <h2 class="docs-part body-size">{title}</h2>}
      <dl class="docs-fields">
        {members.map(({ path, type, limits, meaning, isRequired }) => (
          <div class="rule-below">
            <dt>
              <code>{path}</code> <span class="note">{type}</span>{' '}
              {isRequired !== isAnswer && (
                <span class="warm smaller medium">{isAnswer ? 'may be absent' : 'required'}</span>
              )}
            </dt>
            <dd>
              <Inline text={meaning} />
              {limits !== '' && <span class="note block">{limits}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )

const Answers = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const { description = '', content = {} } = operation.responses['200'] ?? {}
  const members = answerMembersOf(operation)
  return (
    <Fold summary="Answer" className={foldLook}>
      {members === undefined ? (
        <p class="quiet soft small">
          {description} ({Object.keys(content)[0]}).
        </p>
      ) : (
        <Members title={null} members={members} isAnswer />
      )}
    </Fold>
  )
}

/** Refusals: the rules of the operation first, then what every request can meet. */
const Errors = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const { byRules, others } = refusalCodes(operation)
  return (
    <Fold summary={`Errors (${byRules.length} of its own rules)`} className={foldLook}>
      {byRules.length > 0 && (
        <>
          <p class="quiet soft small">
            Refused by a rule: HTTP 200, or the status below where the sandbox was started with{' '}
            <code>--set httpStatus=rest</code>.
          </p>
          {drawErrorTable('Refused by a rule', byRules)}
        </>
      )}
      <p class="quiet soft small above-3">Refused for headers, transport or the sandbox itself:</p>
      {drawErrorTable('Refused for headers, transport or the sandbox itself', others)}
    </Fold>
  )
}

const drawErrorTable = (caption: string, codes: readonly ErrorCode[]) => (
  <Table caption={caption} heads={['Code', 'HTTP', ['Message', 'from-small'], ['What to do', 'from-medium']]}>
    {codes.map((code) => {
      const { status, message, remedy } = errorTable[code]
      return (
        <tr>
          <th scope="row">
            <span class="code">{code}</span>
            <span class="under block until-small">{message}</span>
          </th>
          <td class="tabular">{status}</td>
          <td class="from-small">{message}</td>
          <td class="from-medium">
            <Inline text={remedy} />
          </td>
        </tr>
      )
    })}
  </Table>
)
