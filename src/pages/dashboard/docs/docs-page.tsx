import type { PropsWithChildren } from 'hono/jsx'
import { reject } from '../../../contract/errors.ts'
import { limits } from '../../../contract/headers.ts'
import {
  type DocsGroup,
  docsGroups,
  foundPassages,
  lineFound,
  type Passage,
} from '../../../docs/documents.ts'
import { guides } from '../../../docs/guides.ts'
import { CopyText, WholeWords } from '../../components/command.tsx'
import { plural } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { PageHead, Pairs } from '../../components/panel.tsx'
import type { MakePage } from '../../frame/page-view.tsx'
import { Markdown } from './markdown.tsx'

/** The docs: all their pages, or those in which the words of the query are found. */
export const docsPage: MakePage = (_, { baseUrl, query: { q = '' } }) => ({
  title: 'Docs',
  section: 'docs',
  body: () => (
    <DocsFrame current="/docs" query={q}>
      {q.trim() === '' ? <Overview baseUrl={baseUrl} /> : <Found query={q.trim().slice(0, limits.text)} />}
    </DocsFrame>
  ),
})

const Overview = ({ baseUrl }: { readonly baseUrl: string }) => {
  const groups = docsGroups()
  return (
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
          ['Key', <code class="code">Authorization: Bearer $TILLBOX_API_KEY</code>],
        ]}
      />
      {parts.map((part) => (
        <>
          <h2 class="above-5 below-3 large">{part}</h2>
          <div class="docs-overview">
            {groups
              .filter((group) => docsPart(group) === part)
              .map(({ title, description, pages }) => (
                <section class="panel">
                  <h3 class="body-size">{title}</h3>
                  <p class="note below-2">{description}</p>
                  <ul>
                    {pages.map(({ path, title: name, method }) => (
                      <li>
                        <a class="docs-link block round-s no-underline" href={path}>
                          {method !== undefined && <Method method={method} />} <span>{name}</span>
                        </a>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
          </div>
        </>
      ))}
    </>
  )
}

const parts = ['Documents', 'Payment API', 'Sandbox interface'] as const

const docsPart = ({ title, pages }: DocsGroup): (typeof parts)[number] => {
  if (pages.every(({ method }) => method === undefined)) return 'Documents'
  return title.startsWith('Sandbox ') ? 'Sandbox interface' : 'Payment API'
}

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
        {found.slice(0, mostFound).map((passage, index) => (
          <li class="rule-below">
            <a class="row-link ink block pad-2 no-underline" href={passage.path} id={`row-${index}`}>
              <span class="block medium">{passage.title}</span>
              <span class="note">
                <WholeWords text={passage.where} />
              </span>
              {excerptOf(passage, query)}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

const excerptOf = (passage: Passage, query: string) => {
  const [before, word, after] = lineFound(passage, query)
  return (
    word !== '' && (
      <span class="block smaller breaks">
        {before}
        <strong>{word}</strong>
        {after}
      </span>
    )
  )
}

const methodTones: Readonly<Record<string, string>> = {
  POST: 'accented',
  PUT: 'warm',
  PATCH: 'warm',
  DELETE: 'bad',
}

/** The method of an operation as a small word. */
export const Method = ({ method }: { readonly method: string }) => (
  <span class={`docs-method ${methodTones[method] ?? 'soft'}`}>{method}</span>
)

interface DocsFrameProps {
  readonly current: string
  readonly query?: string
}

/** A page of the docs beside the list of all of them. In a narrow window the list is the page `/docs` alone. */
export const DocsFrame = ({ current, query = '', children }: PropsWithChildren<DocsFrameProps>) => (
  <div class="docs stack gap-5">
    <nav class="docs-side" aria-label="Docs">
      <form action="/docs" class="below-3" data-apply>
        <input
          type="search"
          id="filter-q"
          name="q"
          class="control pad-0-2"
          aria-label="Search the docs"
          placeholder="Search the docs"
          value={query}
          maxlength={limits.text}
          spellcheck={false}
          autocomplete="off"
        />
      </form>
      <div class="docs-list small">
        {docsGroups().map(({ title, pages }) => (
          <details open={pages.some(({ path }) => path === current)}>
            <summary class="pad-2 row between bold">
              {title}
              <Icon name="chevron" />
            </summary>
            <ul>
              {pages.map((page) => (
                <li>
                  <a
                    class="docs-link block soft round-s no-underline"
                    href={page.path}
                    aria-current={page.path === current ? 'page' : undefined}
                  >
                    {page.title}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
        <p class="above-3 pad-0-2">
          <a href="/keys" data-drawer>
            Keyboard shortcuts
          </a>
        </p>
      </div>
    </nav>
    <div class="shrinks">{children}</div>
  </div>
)

/** A guide beside the list of its parts. Errors: SBX_NO_PATH. */
export const guidePage: MakePage = (_, { id }) => {
  const { title, sections } =
    guides().find((each) => each.id === id) ??
    reject('SBX_NO_PATH', { field: 'path', detail: `the sandbox has no guide ${id.slice(0, 100)}` })
  const parts = sections.filter(({ level }) => level === 2)
  return {
    title,
    section: 'docs',
    body: () => (
      <DocsFrame current={`/docs/guides/${id}`}>
        <div class="docs-columns docs-reading">
          <article class="docs-guide panel">
            <p class="note">
              <a href="/docs">Docs</a> <span aria-hidden="true">/</span> Guides
            </p>
            {sections.map(({ heading, anchor, level, tokens }) => {
              const Heading = `h${level}` as 'h1'
              return (
                <>
                  <Heading id={anchor} class={level === 1 ? 'page-title tight' : undefined}>
                    {heading}
                  </Heading>
                  <Markdown tokens={tokens} />
                </>
              )
            })}
          </article>
          {parts.length > 1 && (
            <nav class="docs-parts" aria-label="On this page">
              <h2 class="note">On this page</h2>
              <ul class="small">
                {parts.map(({ heading, anchor }) => (
                  <li>
                    <a class="docs-link block soft round-s no-underline" href={`#${anchor}`}>
                      {heading}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
      </DocsFrame>
    ),
  }
}
