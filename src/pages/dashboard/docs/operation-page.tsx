import { type ErrorCode, errorTable, reject } from '../../../contract/errors.ts'
import { dereferenced, type Parameter, type Schema } from '../../../openapi/document.ts'
import { publicKeyOf } from '../../../request-log/hide-secrets.ts'
import { Fold } from '../../components/basics.tsx'
import { CopyButton } from '../../components/command.tsx'
import { Body } from '../../components/http-message.tsx'
import { Panel, Table } from '../../components/panel.tsx'
import type { PageRequest, PagesContext, PageView } from '../../frame/page-view.tsx'
import {
  curlExample,
  type DocumentedOperation,
  documentedMembersOf,
  documentedOperations,
  type Member,
  typeOf,
} from './documented-operations.ts'

const json = 'application/json'

/** One operation: its members, an example, its answers and its errors. Errors: SBX_NO_PATH. */
export function operationPage({ directory }: PagesContext, { id, baseUrl }: PageRequest): PageView {
  const entry =
    documentedOperations().find((each) => each.id === id) ??
    reject('SBX_NO_PATH', { field: 'path', detail: `the sandbox has no operation ${id.slice(0, 100)}` })
  const { operation } = entry
  const curl = curlExample(entry, baseUrl, publicKeyOf(directory, directory.defaultApplication.appId))
  return {
    title: operation.summary,
    section: 'docs',
    body: () => (
      <>
        <Head entry={entry} curl={curl} />
        <Request entry={entry} />
        {curl !== null && (
          <Panel title="Example" name="example">
            <Earlier entry={entry} />
            <Body label="Example as curl" text={curl} />
          </Panel>
        )}
        {entry.path !== null && <Answers entry={entry} />}
        {entry.path !== null && <Errors entry={entry} />}
      </>
    ),
  }
}

const Head = ({ entry, curl }: { readonly entry: DocumentedOperation; readonly curl: string | null }) => {
  const { method, path, operation, tag } = entry
  return (
    <>
      <div class="page-head gap-3 row wrap between below-4">
        <h1 class="page-title tight">{operation.summary}</h1>
        <p class="page-lead code">
          {method} {path ?? 'to your server'}
        </p>
        {curl !== null && <CopyButton text={curl}>Copy the example as curl</CopyButton>}
      </div>
      <p class="docs-about soft small">
        <a href="/docs">All operations</a> <span aria-hidden="true">/</span> {tag}
        {operation.description !== undefined && (
          <>
            . <Marked text={operation.description} />
          </>
        )}
      </p>
    </>
  )
}

/** A text in which backquotes mark code. */
const Marked = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** Headers, path, query and body of the request. */
const Request = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const parameters = operation.parameters.map(dereferenced)
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const members = media === undefined ? [] : documentedMembersOf(media.schema)
  return (
    <Panel title="Request" name="request">
      {(['path', 'query', 'header'] as const).map((where) => (
        <Members
          title={locationNames[where]}
          members={parameters.filter((each) => each.in === where).map(memberOfParameter)}
        />
      ))}
      <Members title="Body" members={members} />
      {type !== undefined && members.length === 0 && (
        <p class="quiet soft small">
          {operation.requestBody?.description ?? 'The body may be empty'} ({type}).
        </p>
      )}
      {parameters.length === 0 && type === undefined && <p class="quiet soft small">It takes no fields.</p>}
    </Panel>
  )
}

const locationNames = { path: 'Path', query: 'Query', header: 'Headers' } as const

function memberOfParameter({ name, schema, required = false, description = '' }: Parameter): Member {
  const [member] = documentedMembersOf({ type: 'object', properties: { [name]: schema } })
  return {
    path: name,
    type: typeOf(schema),
    limits: member?.limits ?? '',
    meaning: description,
    isRequired: required,
  }
}

interface MembersProps {
  readonly title: string
  readonly members: readonly Member[]
  /** True for an answer, whose fields may be absent. */
  readonly isAnswer?: boolean
}

/** A table of members; nothing where there is none. */
const Members = ({ title, members, isAnswer = false }: MembersProps) =>
  members.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <Table
        caption={title}
        heads={[
          'Field',
          ['Type', 'from-small member-type'],
          ['Limits', 'from-medium'],
          ['Meaning', 'from-small'],
        ]}
      >
        {members.map(({ path, type, limits, meaning, isRequired }) => (
          <tr>
            <th scope="row">
              <span class="code">{path}</span>
              {isRequired !== isAnswer && (
                <span class="under block back">{isAnswer ? 'may be absent' : 'required'}</span>
              )}
              <span class="under block until-small">
                <Marked text={meaning === '' ? type : `${type}: ${meaning}`} />
              </span>
            </th>
            <td class="from-small">{type}</td>
            <td class="from-medium">{limits}</td>
            <td class="from-small">
              <Marked text={meaning} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )

/** What the example needs before it. */
const Earlier = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const from = Object.entries(operation['x-example']?.from ?? {})
  if (from.length === 0) return null
  return (
    <p class="quiet soft small">
      {from.map(([member, [earlier, pointer]], index) => (
        <>
          {index > 0 && '; '}
          <code>{member}</code> comes from the answer to <a href={`/docs/${earlier}`}>{earlier}</a>
          {pointer !== '' && (
            <>
              , <code>{pointer.slice(1).replaceAll('/', '.')}</code>
            </>
          )}
        </>
      ))}
      .
    </p>
  )
}

/** The answer to an accepted request. */
const Answers = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const { description = '', content = {} } = operation.responses['200'] ?? {}
  const [[type, media] = []] = Object.entries(content)
  const schema = media?.schema.oneOf?.[0]
  return (
    <Panel title="Answer" name="answer">
      {schema === undefined ? (
        <p class="quiet soft small">
          {description} ({type}).
        </p>
      ) : (
        <Members title={`HTTP 200, ${json}`} members={documentedMembersOf(schema)} isAnswer />
      )}
    </Panel>
  )
}

/** Codes that a schema of a refusal names. */
const codesOf = (schema: Schema | undefined): readonly ErrorCode[] =>
  (schema?.allOf ?? []).flatMap(({ properties }) => (properties?.code?.enum ?? []) as readonly ErrorCode[])

/** Refusals: the rules of the operation first, then what every request can meet. */
const Errors = ({ entry: { operation } }: { readonly entry: DocumentedOperation }) => {
  const byStatus = Object.values(operation.responses).flatMap((each) => {
    const { schema } = dereferenced(each).content?.[json] ?? {}
    return [...codesOf(schema), ...codesOf(schema?.oneOf?.[1])]
  })
  const codes = [...new Set(byStatus)]
  const own = codes.filter((code) => errorTable[code].kind === 'business')
  const others = codes.filter((code) => errorTable[code].kind === 'http')
  return (
    <Panel title="Errors" name="errors">
      {own.length > 0 && (
        <>
          <p class="quiet soft small">
            Refused by a rule: HTTP 200, or the status below where the sandbox was started with{' '}
            <code>--set httpStatus=rest</code>.
          </p>
          <ErrorTable caption="Refused by a rule" codes={own} />
        </>
      )}
      <Fold summary="Refused for headers, transport or the sandbox itself">
        <ErrorTable caption="Refused for headers, transport or the sandbox itself" codes={others} />
      </Fold>
    </Panel>
  )
}

const ErrorTable = ({
  caption,
  codes,
}: {
  readonly caption: string
  readonly codes: readonly ErrorCode[]
}) => (
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
            <Marked text={remedy} />
          </td>
        </tr>
      )
    })}
  </Table>
)
