import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { once } from '../../shared/once.ts'
import { packageRoot } from '../../shared/package-root.ts'

/** The guides: the Markdown documents that the package ships. */

/** A part of a guide, from a heading to the next. */
interface GuideSection {
  /** Id of its heading. */
  readonly anchor: string
  readonly heading: string
  /** 1 for the title, then 2, 3 or 4. */
  readonly level: number
  readonly tokens: readonly Token[]
}

export interface Guide {
  /** Name of its file, without `.md`. */
  readonly id: string
  readonly title: string
  readonly kind: 'start' | 'guide' | 'recipe' | 'inside'
  /** Markdown, without comments. */
  readonly text: string
  readonly sections: readonly GuideSection[]
}

/** What one reads first, in that order; and what only contributors read. */
const first = ['setup', 'lifecycle', 'dashboard', 'command-line', 'terms', 'terminals', 'webhooks', 'library']
const inside = ['decisions', 'mutation-testing', 'performance', 'assumptions', 'state-files']

/** Every guide: the first ones, then by title; and the recipes. */
export const guides = once((): readonly Guide[] => [...guidesIn('docs'), ...guidesIn('docs/recipes')])

function guideKind(folder: string, id: string): Guide['kind'] {
  if (folder !== 'docs') return 'recipe'
  return first.includes(id) ? 'start' : inside.includes(id) ? 'inside' : 'guide'
}

const guidesIn = (folder: string): readonly Guide[] =>
  readdirSync(join(packageRoot, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(join(packageRoot, folder, name), 'utf8').replace(/<!--[\s\S]*?-->\n?/g, '')
      const sections = sectionsIn(text)
      const id = name.replace(/\.md$/, '')
      return { id, title: sections[0]?.heading ?? name, kind: guideKind(folder, id), text, sections }
    })
    .sort(
      (one, other) => first.indexOf(one.id) - first.indexOf(other.id) || one.title.localeCompare(other.title),
    )

/** The text at its headings. */
function sectionsIn(text: string): readonly GuideSection[] {
  const sections: { anchor: string; heading: string; level: number; tokens: Token[] }[] = []
  for (const token of lexer(text)) {
    if (token.type !== 'heading') sections.at(-1)?.tokens.push(token)
    else {
      const { text: heading, depth: level } = token as Tokens.Heading
      sections.push({ anchor: anchorOf(heading), heading: heading.replaceAll('`', ''), level, tokens: [] })
    }
  }
  return sections
}

/** Id of a heading, as GitHub makes it: links in the documents use it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Address of a guide. */
export const guidePath = (id: string): string => `/docs/guides/${id}`

/** Where a link of a document leads below /docs; undefined for what is not there. */
export function guideLink(href: string): { readonly path: string; readonly anchor: string } | undefined {
  const [, name, anchor = ''] =
    /^(?:(?:\.\.\/|\.\/)?(?:docs\/)?)(?:recipes\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined || name === name.toUpperCase() ? undefined : { path: guidePath(name), anchor }
}
