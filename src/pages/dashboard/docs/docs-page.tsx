import { openapiDocument } from '../../../openapi/document.ts'
import { CopyButton } from '../../components/command.tsx'
import { PageHead, Panel, Table } from '../../components/panel.tsx'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import { type DocumentedOperation, documentedOperations } from './documented-operations.ts'

/** Every operation of the service and of the control interface, and the webhooks. */
export function docsPage(_: unknown, { baseUrl }: PageRequest): PageView {
  const all = documentedOperations()
  const tags = [
    ...openapiDocument().tags,
    { name: 'Webhooks', description: 'What the service sends to your server.' },
  ]
  return {
    title: 'Docs',
    section: 'docs',
    body: () => (
      <>
        <PageHead
          title="API"
          lead={
            <>
              Every operation with its members, an example, its answers and its errors. The same as{' '}
              <a href="/_sandbox/openapi.json">OpenAPI 3.1</a>.
            </>
          }
        >
          <CopyButton text={`${baseUrl}/_sandbox/openapi.json`}>Copy the URL of the document</CopyButton>
        </PageHead>
        {tags.map(({ name, description }) => (
          <Panel title={name} name={name.toLowerCase().replaceAll(' ', '-')}>
            <p class="quiet soft small">{description}</p>
            <Operations tag={name} all={all.filter(({ tag }) => tag === name)} />
          </Panel>
        ))}
      </>
    ),
  }
}

const Operations = ({ tag, all }: { readonly tag: string; readonly all: readonly DocumentedOperation[] }) => (
  <Table caption={`Operations: ${tag}`} heads={['Operation', ['Request', 'from-small']]}>
    {all.map(({ id, method, path, operation }) => (
      <tr>
        <th scope="row">
          <a href={`/docs/${id}`}>{operation.summary}</a>
          <span class="under block code until-small">
            {method} {path}
          </span>
        </th>
        <td class="from-small code">
          {method} {path ?? 'to your server'}
        </td>
      </tr>
    ))}
  </Table>
)
