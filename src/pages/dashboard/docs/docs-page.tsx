import { guideGroups } from '../../../contract/documents/documents.ts'
import { type Guide, guidePath, guides } from '../../../contract/documents/guides.ts'
import { reject } from '../../../contract/errors.ts'
import { Icon } from '../../components/icons.tsx'
import { titleLook } from '../../components/looks.ts'
import { Panel } from '../../components/panel.tsx'
import type { MakePage, PageView } from '../../frame/page-view.tsx'
import { Markdown } from './markdown.tsx'

/** The list of all guides. */
export const docsPage: MakePage = () => ({
  title: 'Docs',
  section: 'docs',
  lead: <a href="/_sandbox/openapi.json">OpenAPI document</a>,
  body: () => (
    <div class="gap-4 sm:columns-2 xl:columns-4 *:break-inside-avoid *:mb-4! *:mt-0!">
      {guideGroups().map(({ title, description, pages }) => (
        <Panel title={title} name={title.toLowerCase()}>
          <p class="mb-2 text-ink-soft">{description}</p>
          <GuideLinks pages={pages} />
        </Panel>
      ))}
    </div>
  ),
})

/** A guide beside the list of all of them and that of its parts. */
export const guidePage: MakePage = (_, { id }) =>
  guideView(
    guides().find((each) => each.id === id) ??
      reject('SBX_NO_PATH', { field: 'path', detail: `the sandbox has no guide ${id.slice(0, 100)}` }),
  )

const guideView = (guide: Guide): PageView => ({
  title: guide.title,
  section: 'docs',
  body: () => (
    <div class="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav class={`docs-side text-sm max-lg:hidden ${inSight}`} aria-label="Docs">
        <GuideList current={guidePath(guide.id)} />
      </nav>
      <div class="grid min-w-0 items-start gap-6 xl:has-[>nav]:grid-cols-[minmax(0,1fr)_14rem]">
        <Article guide={guide} />
        <Parts guide={guide} />
      </div>
    </div>
  ),
})

/** What stands beside the text stays in sight, where there is room for it. */
const inSight =
  'lg:sticky lg:top-[calc(var(--masthead)+0.75rem)] lg:max-h-[calc(100dvh-var(--masthead)-0.75rem)] lg:self-start lg:overflow-y-auto'

const docsLink =
  'block rounded-md px-2 py-1 max-sm:py-2.5 hover:bg-accent-tint aria-[current]:bg-accent-tint aria-[current]:font-semibold aria-[current]:no-underline'

type Pages = ReturnType<typeof guideGroups>[number]['pages']

const GuideLinks = ({ pages, current }: { readonly pages: Pages; readonly current?: string }) => (
  <ul class="-mx-2">
    {pages.map(({ path, title }) => (
      <li>
        <a class={docsLink} href={path} aria-current={path === current ? 'page' : undefined}>
          {title}
        </a>
      </li>
    ))}
  </ul>
)

const GuideList = ({ current }: { readonly current: string }) =>
  guideGroups().map(({ title, pages }) => (
    <details class="group mb-2" open={pages.some(({ path }) => path === current)}>
      <summary class="p-2 flex items-center justify-between font-semibold group-open:[&>svg]:rotate-180">
        {title}
        <Icon name="chevron" />
      </summary>
      <div class="ms-5">
        <GuideLinks pages={pages} current={current} />
      </div>
    </details>
  ))

const Article = ({ guide: { id, sections } }: { readonly guide: Guide }) => (
  <article class="docs-guide panel max-w-225 px-6 py-4 text-[0.9375rem]">
    <p class="text-note text-ink-soft">
      <a href="/docs">Docs</a> <span aria-hidden="true">/</span>{' '}
      {guideGroups().find(({ pages }) => pages.some(({ path }) => path === guidePath(id)))?.title}
    </p>
    {sections.map(({ heading, anchor, level, tokens }) => {
      const Heading = `h${level}` as 'h1'
      return (
        <>
          <Heading id={anchor} class={level === 1 ? titleLook : undefined}>
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
    <nav class={`docs-parts max-xl:hidden ${inSight}`} aria-label="On this page">
      <h2 class="text-note text-ink-soft">On this page</h2>
      <ul class="text-sm">
        {parts.map(({ heading, anchor }) => (
          <li>
            <a class={docsLink} href={`#${anchor}`}>
              {heading}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
