import type { Child } from 'hono/jsx'
import type { MarkedToken, Token, Tokens } from 'marked'
import { guideLink } from '../../../contract/documents/guides.ts'
import { WholeWords } from '../../components/command.tsx'
import { Body } from '../../components/http-message.tsx'
import { Table } from '../../components/panel.tsx'

/** Blocks of Markdown: paragraphs, lists, tables, quotes and code. Other HTML than an anchor is shown as text. */
export const Markdown = ({ tokens }: { readonly tokens: readonly Token[] }) => <>{tokens.map(draw)}</>

const drawAll = (tokens: readonly Token[] = []): Child => tokens.map(draw)

function draw(any: Token): Child {
  const token = any as MarkedToken // no extension adds others
  switch (token.type) {
    case 'space':
      return null
    case 'code':
      return <Body label={`Code: ${token.text.replaceAll('\n', ' ').slice(0, 100)}`} text={token.text} />
    case 'blockquote':
      return <blockquote class="quiet">{drawAll(token.tokens)}</blockquote>
    case 'paragraph':
      return <p>{drawAll(token.tokens)}</p>
    case 'list':
      return drawList(token)
    case 'table':
      return drawTable(token)
    case 'codespan':
      return (
        <code>
          <WholeWords text={token.text} />
        </code>
      )
    case 'strong':
      return <strong>{drawAll(token.tokens)}</strong>
    case 'em':
      return <em>{drawAll(token.tokens)}</em>
    case 'image':
      return token.text
    case 'link': {
      const address = linkTarget(token.href)
      return address === undefined ? drawAll(token.tokens) : <a href={address}>{drawAll(token.tokens)}</a>
    }
    case 'text':
      return token.tokens === undefined ? token.text : drawAll(token.tokens)
    case 'html':
      return anchorIn(token.text)
    default:
      return token.raw
  }
}

const drawList = ({ ordered, items }: Tokens.List): Child => {
  const drawn = items.map(({ tokens }) => <li>{drawAll(tokens)}</li>)
  return ordered ? <ol>{drawn}</ol> : <ul>{drawn}</ul>
}

const drawTable = ({ header, rows }: Tokens.Table): Child => (
  <Table
    caption={header.map(({ text }) => text).join(', ')}
    heads={header.map(({ text }) => text)}
    takesFocus
  >
    {rows.map((cells) => (
      <tr>
        {cells.map(({ tokens }) => (
          <td>{drawAll(tokens)}</td>
        ))}
      </tr>
    ))}
  </Table>
)

/** An anchor by its id; its end is nothing, and other HTML is text. */
function anchorIn(html: string): Child {
  const [, id] = /^<a id="([^"]+)">/.exec(html) ?? []
  if (id !== undefined) return <span id={id} />
  return html === '</a>' ? null : html
}

/** Where a link of a document leads on these pages; undefined for what they do not have. */
function linkTarget(href: string): string | undefined {
  if (/^(#|https:\/\/)/.test(href)) return href
  const link = guideLink(href)
  return link && link.path + link.anchor
}
