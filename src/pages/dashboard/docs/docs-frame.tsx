import type { PropsWithChildren } from 'hono/jsx'
import { docsGroups } from '../../../docs/documents.ts'

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
  /** Path of the page. */
  readonly current: string
  /** What is searched for. */
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
