import { guideGroups } from '../../../contract/documents/documents.ts'
import { type Guide, guidePath, guides } from '../../../contract/documents/guides.ts'
import { reject } from '../../../contract/errors.ts'
import { Icon } from '../../components/icons.tsx'
import type { MakePage, PageView } from '../../frame/page-view.tsx'
import { Markdown } from './markdown.tsx'

/** The list of all guides, and the first one beside it. */
export const docsPage: MakePage = () =>
  guideView(guides().find(({ kind }) => kind === 'start') as Guide, '/docs')

/** A guide beside the list of all of them and that of its parts. Errors: SBX_NO_PATH. */
export const guidePage: MakePage = (_, { id }) =>
  guideView(
    guides().find((each) => each.id === id) ??
      reject('SBX_NO_PATH', { field: 'path', detail: `the sandbox has no guide ${id.slice(0, 100)}` }),
    guidePath(id),
  )

const guideView = (guide: Guide, path: string): PageView => ({
  title: guide.title,
  section: 'docs',
  body: () => (
    <div class="docs stack gap-5">
      <GuideList current={guide.id} isIndex={path === '/docs'} />
      <div class="docs-reading shrinks">
        <Article guide={guide} />
        <Parts guide={guide} />
      </div>
    </div>
  ),
})

/** In a narrow window only the page `/docs` has the list. */
const GuideList = ({ current, isIndex }: { readonly current: string; readonly isIndex: boolean }) => (
  <nav class={`docs-side small ${isIndex ? 'docs-index' : ''}`} aria-label="Docs">
    {guideGroups().map(({ title, pages }) => (
      <details open={isIndex || pages.some(({ path }) => path === guidePath(current))}>
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
                aria-current={page.path === guidePath(current) ? 'page' : undefined}
              >
                {page.title}
              </a>
            </li>
          ))}
        </ul>
      </details>
    ))}
    <p class="above-3 pad-0-2">
      <a href="/_sandbox/openapi.json">OpenAPI document</a>
    </p>
  </nav>
)

const Article = ({ guide: { sections } }: { readonly guide: Guide }) => (
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
)

const Parts = ({ guide: { sections } }: { readonly guide: Guide }) => {
  const parts = sections.filter(({ level }) => level === 2)
  return parts.length < 2 ? null : (
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
  )
}
