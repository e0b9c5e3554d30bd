import { once } from '../../shared/once.ts'
import { bestMatches } from '../../shared/text/match.ts'
import { openapiDocument } from '../openapi/document.ts'
import {
  type DocumentedOperation,
  documentedMembersOf,
  documentedOperations,
  operationText,
} from './documented-operations.ts'
import { type Guide, guideLink, guidePath, guides } from './guides.ts'

/** A group of documents: its pages by address. */
interface DocsGroup {
  readonly title: string
  readonly description: string
  readonly pages: readonly { readonly path: string; readonly title: string }[]
}

/** The guides, which are pages: the first ones, by subject, and what only contributors read. */
export const guideGroups = (): readonly DocsGroup[] =>
  [
    { title: 'Start', description: 'Run it, take payments, test with it.', kind: 'start' },
    { title: 'Test', description: 'Find out what your code does when something goes wrong.', kind: 'test' },
    { title: 'Guides', description: 'Look up calls and options, and run a sandbox.', kind: 'guide' },
    { title: 'Recipes', description: 'Short programs for common jobs.', kind: 'recipe' },
    { title: 'Inside', description: 'For contributors to tillbox.', kind: 'inside' },
  ].map(({ kind, ...group }) => ({
    ...group,
    pages: guides()
      .filter((each) => each.kind === kind)
      .map(({ id, title }) => ({ path: guidePath(id), title })),
  }))

/** The operations by tag, and the webhooks: as Markdown alone. */
function operationGroups(): readonly DocsGroup[] {
  const all = documentedOperations()
  const webhooks = { name: 'Webhooks', description: 'What the service sends to your server.' }
  return [...openapiDocument().tags, webhooks].map(({ name, description }) => ({
    title: name,
    description,
    pages: all.filter(({ tag }) => tag === name).map(operationPage),
  }))
}

const operationPath = (id: string): string => `/docs/${id}`

const operationPage = ({ id, operation }: DocumentedOperation) => ({
  path: operationPath(id),
  title: operation.summary,
})

/** A page, or a part of one, that can be found. */
export interface Passage {
  readonly path: string
  readonly title: string
  readonly where: string
  /** Text that finds it, beside its title. */
  readonly also: string
  /** How much more than another it is what readers look for. */
  readonly weight: number
  /** As Markdown. */
  readonly text: () => string
}

/** Operations with the names of their members, and the parts of the guides with their text. */
const passages = once((): readonly Passage[] => [
  ...documentedOperations().map(operationPassage),
  ...guides().flatMap(guidePassages),
])

function operationPassage(entry: DocumentedOperation): Passage {
  const { id, method, path, tag, operation } = entry
  const bodies = Object.values(operation.requestBody?.content ?? {})
  const members = bodies.flatMap(({ schema }) => documentedMembersOf(schema).map((each) => each.path))
  const parameters = operation.parameters.map(({ name = '' }) => name)
  return {
    path: operationPath(id),
    title: operation.summary,
    where: `${tag} · ${method} ${path ?? 'to your server'}`,
    weight: 1.3,
    also: [id, method, path, ...members, ...parameters, JSON.stringify(operation.responses)].join(' '),
    text: () => operationText(entry),
  }
}

const weights = { start: 1.5, test: 1, guide: 1, recipe: 1.2, inside: 0.5 } as const satisfies Record<
  Guide['kind'],
  number
>

const guidePassages = ({ id, title, kind, sections }: Guide): readonly Passage[] =>
  sections.map(({ heading, anchor, level, tokens }) => {
    const raw = tokens.map((token) => token.raw).join('')
    return {
      path: level === 1 ? guidePath(id) : `${guidePath(id)}#${anchor}`,
      title: heading,
      where: level === 1 ? 'Guide' : title,
      weight: weights[kind],
      also: `${title} ${raw}`,
      text: () => readable(`${'#'.repeat(level)} ${heading}\n\n${raw.trim()}\n`),
    }
  })

/** Words that say nothing about what is sought. */
const fillers = new Set(
  'a an and are at can do does done for from how i in is it my no not of on or the to was what when where why with'.split(
    ' ',
  ),
)

/** The passages in which every word that says something is found: first in headings and addresses. */
export function foundPassages(query: string): readonly Passage[] {
  const words = query.split(/\s+/)
  const telling = words.filter((word) => !fillers.has(word.toLowerCase()))
  const typed = (telling.length > 0 ? telling : words).join(' ')
  return bestMatches(
    typed,
    passages(),
    ({ title, path, also }) => [`${title} ${path}`, also],
    ({ weight }) => weight,
  )
}

/** A page, or with an anchor a part of one, as Markdown; undefined for what the docs do not have. */
export function documentAt(path: string): string | undefined {
  const guide = guides().find(({ id }) => guidePath(id) === path)
  return guide === undefined
    ? passages()
        .find((each) => each.path === path)
        ?.text()
    : readable(guide.text)
}

/** The list of all pages as Markdown, in the form of llms.txt. `linkTo`: where a page is. */
export const documentList = (linkTo: (path: string) => string): string =>
  [
    '# tillbox\n',
    `> ${openapiDocument().info.summary}\n`,
    `${openapiDocument().info.description}\n`,
    ...[...guideGroups(), ...operationGroups()].map(
      ({ title, description, pages }) =>
        `## ${title}\n\n${description}\n\n${pages.map((page) => `- [${page.title}](${linkTo(page.path)})\n`).join('')}`,
    ),
  ].join('\n')

/** A text of a guide without anchors and pictures; links to other guides stay, all others become text. */
const readable = (text: string): string =>
  text
    .replace(/^!\[.*\n/gm, '')
    .replace(/<a id="[^"]*"><\/a>/g, '')
    .replace(
      /\[([^\]]*)\]\(((?:\.\.\/|recipes\/|[\w-]+\.md)[^)\s]*)\)/g,
      (_, words: string, href: string) => {
        const link = guideLink(href)
        return link === undefined ? words : `[${words}](${link.path.split('/').at(-1)}.md${link.anchor})`
      },
    )
