import type { PropsWithChildren } from 'hono/jsx'
import { openapiDocument } from '../../../openapi/document.ts'
import { type DocumentedOperation, documentedOperations } from './documented-operations.ts'
import { type Guide, guides } from './guides.ts'

/** A group of the docs: its pages by address. */
interface DocsGroup {
  readonly title: string
  readonly description: string
  readonly pages: readonly {
    readonly path: string
    readonly title: string
    /** Of an operation. */
    readonly method?: string
  }[]
}

/** Every page of the docs: guides first, then the operations by tag, then the webhooks, and what contributors read. */
export function docsGroups(): readonly DocsGroup[] {
  const all = documentedOperations()
  const guidePages = (kind: Guide['kind']) =>
    guides()
      .filter((each) => each.kind === kind)
      .map(({ id, title }) => ({ path: `/docs/guides/${id}`, title }))
  const tags = [
    ...openapiDocument().tags,
    { name: 'Webhooks', description: 'What the service sends to your server.' },
  ]
  return [
    { title: 'Start', description: 'Run it, take payments, test with it.', pages: guidePages('start') },
    {
      title: 'Guides',
      description: 'How the sandbox works, and how it is used.',
      pages: guidePages('guide'),
    },
    { title: 'Recipes', description: 'Short programs for common jobs.', pages: guidePages('recipe') },
    ...tags.map(({ name, description }) => ({
      title: name,
      description,
      pages: all.filter(({ tag }) => tag === name).map(pageOf),
    })),
    { title: 'Inside', description: 'For who changes the sandbox.', pages: guidePages('inside') },
  ]
}

const pageOf = ({ id, method, operation }: DocumentedOperation) => ({
  path: `/docs/${id}`,
  title: operation.summary,
  method,
})

/** The method of an operation as a small word. */
export const Method = ({ method }: { readonly method: string }) => (
  <span class={`docs-method docs-method-${method.toLowerCase()}`}>{method}</span>
)

interface DocsFrameProps {
  /** Path of the page. */
  readonly current: string
  /** What is searched for. */
  readonly query?: string
}

/** A page of the docs beside the list of all of them. In a narrow window the list is the page `/docs` alone. */
export const DocsFrame = ({ current, query = '', children }: PropsWithChildren<DocsFrameProps>) => (
  <div class="docs">
    <nav class="docs-side" aria-label="Docs">
      <form action="/docs" class="below-3" data-apply>
        <input
          type="search"
          id="filter-q"
          name="q"
          class="h-2 pad-0-2"
          aria-label="Search the docs"
          placeholder="Search the docs"
          value={query}
          maxlength={64}
          spellcheck={false}
          autocomplete="off"
        />
      </form>
      <div class="docs-list small">
        {docsGroups().map(({ title, pages }) => (
          <details open={pages.some(({ path }) => path === current)}>
            <summary class="docs-group pad-2 bold">{title}</summary>
            <ul>
              {pages.map((page) => (
                <li>
                  <a
                    class="docs-link round-s no-underline"
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
    <div class="docs-main shrinks">{children}</div>
  </div>
)
