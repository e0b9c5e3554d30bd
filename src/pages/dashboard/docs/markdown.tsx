import type { Child } from 'hono/jsx'
import { Body } from '../../components/http-message.tsx'
import { Table } from '../../components/panel.tsx'

/**
 * Lines of Markdown as our documents are written: paragraphs, lists of one level, tables, quotes and code. Other HTML than
 * an anchor is shown as text.
 */
export const Markdown = ({ lines }: { readonly lines: readonly string[] }) => (
  <>{blocksOf(lines).map((block) => drawBlock(block))}</>
)

/** Lines that belong together: of one kind, up to an empty line; code with its fences, whatever is in it. */
function blocksOf(lines: readonly string[]): readonly string[][] {
  const blocks: string[][] = []
  let isOpen = false
  let isCode = false
  for (const line of lines) {
    if (line.startsWith('```')) {
      if (!isCode) blocks.push([])
      isCode = !isCode
      isOpen = isCode
      if (!isCode) continue
    }
    if (line.trim() === '' && !isCode) isOpen = false
    else if (isOpen || isCode) blocks.at(-1)?.push(line)
    else {
      blocks.push([line])
      isOpen = true
    }
  }
  return blocks
}

const listMark = /^(?:-|\d+\.) /

function drawBlock(block: readonly string[]): Child {
  const [first = '', ...rest] = block
  if (first.startsWith('```'))
    return <Body label={`Code: ${rest.join(' ').slice(0, 100)}`} text={rest.join('\n')} />
  if (first.startsWith('|')) return <MarkdownTable rows={block} />
  if (first.startsWith('> '))
    return (
      <blockquote class="quiet">
        <Inline text={block.map((line) => line.replace(/^> ?/, '')).join(' ')} />
      </blockquote>
    )
  if (!listMark.test(first))
    return (
      <p>
        <Inline text={block.join(' ')} />
      </p>
    )
  const items: string[] = []
  for (const line of block)
    if (listMark.test(line)) items.push(line.replace(listMark, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  const drawn = items.map((item) => (
    <li>
      <Inline text={item} />
    </li>
  ))
  return first.startsWith('-') ? <ul>{drawn}</ul> : <ol>{drawn}</ol>
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const MarkdownTable = ({ rows: [head = '', , ...rows] }: { readonly rows: readonly string[] }) => (
  <Table caption={cellsOf(head).join(', ')} heads={cellsOf(head)}>
    {rows.map((row) => (
      <tr>
        {cellsOf(row).map((cell) => (
          <td>
            <Inline text={cell} />
          </td>
        ))}
      </tr>
    ))}
  </Table>
)

/** Code, bold, a picture, a link, an anchor. */
const marks = /`([^`]+)`|\*\*(.+?)\*\*|(!?)\[((?:`[^`]*`|[^\]])*)\]\(([^)]+)\)|<a id="([^"]+)"><\/a>/g

/** A text with its marks. */
export function Inline({ text }: { readonly text: string }): ReturnType<typeof Markdown> {
  const parts: Child[] = []
  let at = 0
  for (const found of text.matchAll(marks)) {
    const [whole, code, bold, isPicture, label = '', href, id] = found
    parts.push(text.slice(at, found.index))
    at = found.index + whole.length
    if (code !== undefined) parts.push(<code>{code}</code>)
    else if (bold !== undefined) parts.push(<strong>{Inline({ text: bold })}</strong>)
    else if (id !== undefined) parts.push(<span id={id} />)
    else parts.push(linkTo(isPicture === '!' ? undefined : addressOf(href ?? ''), label))
  }
  return <>{[...parts, text.slice(at)]}</>
}

const linkTo = (address: string | undefined, label: string): Child =>
  address === undefined ? Inline({ text: label }) : <a href={address}>{Inline({ text: label })}</a>

/** Where a link of a document leads on these pages; undefined for what they do not have. */
function addressOf(href: string): string | undefined {
  if (/^(#|https:\/\/)/.test(href)) return href
  const [, name, anchor = ''] =
    /^(?:(?:\.\.\/|\.\/)?(?:docs\/)?)(?:recipes\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined || name === name.toUpperCase() ? undefined : `/docs/guides/${name}${anchor}`
}
