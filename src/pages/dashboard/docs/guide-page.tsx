import { reject } from '../../../contract/errors.ts'
import { guides } from '../../../docs/guides.ts'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import { DocsFrame } from './docs-frame.tsx'
import { Markdown } from './markdown.tsx'

/** A guide beside the list of its parts. Errors: SBX_NO_PATH. */
export function guidePage(_: unknown, { id }: PageRequest): PageView {
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
