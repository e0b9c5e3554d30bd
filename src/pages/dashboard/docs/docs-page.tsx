import { docsGroups, foundPassages } from '../../../docs/documents.ts'
import { CopyText } from '../../components/command.tsx'
import { plural } from '../../components/format.ts'
import { PageHead, Pairs } from '../../components/panel.tsx'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import { DocsFrame, Method } from './docs-frame.tsx'

/** The docs: all their pages, or those in which the words of the query are found. */
export const docsPage = (_: unknown, { baseUrl, query: { q = '' } }: PageRequest): PageView => ({
  title: 'Docs',
  section: 'docs',
  body: () => (
    <DocsFrame current="/docs" query={q}>
      {q.trim() === '' ? <Overview baseUrl={baseUrl} /> : <Found query={q.trim().slice(0, 64)} />}
    </DocsFrame>
  ),
})

const Overview = ({ baseUrl }: { readonly baseUrl: string }) => (
  <>
    <PageHead
      title="Docs"
      lead="Guides, and every operation of the payment API and of the sandbox: send each from its page."
    />
    <Pairs
      kind="reasons"
      pairs={[
        ['Base URL', <CopyText text={baseUrl} />],
        ['OpenAPI 3.1', <CopyText text={`${baseUrl}/_sandbox/openapi.json`} />],
        ['Key', <code>Authorization: Bearer $TILLBOX_API_KEY</code>],
      ]}
    />
    <div class="docs-overview">
      {docsGroups().map(({ title, description, pages }) => (
        <section class="panel">
          <h2 class="body-size">{title}</h2>
          <p class="note below-2">{description}</p>
          <ul>
            {pages.map(({ path, title: name, method }) => (
              <li>
                <a class="docs-link block soft round-s no-underline" href={path}>
                  {method !== undefined && <Method method={method} />} {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </>
)

/** Results that are shown. */
const mostFound = 40

const Found = ({ query }: { readonly query: string }) => {
  const found = foundPassages(query)
  if (found.length === 0)
    return (
      <>
        <PageHead title="Nothing is found" />
        <p>Every word must occur in an operation, its fields or errors, or in a part of a guide.</p>
      </>
    )
  return (
    <>
      <PageHead title={`${plural(found.length, 'result')} for “${query}”`} />
      <ul class="docs-found panel">
        {found.slice(0, mostFound).map(({ path, title, where }, index) => (
          <li class="rule-below">
            <a class="row-link ink block pad-2 no-underline" href={path} id={`row-${index}`}>
              <span class="block medium">{title}</span>
              <span class="note">{where}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
