import { raw } from 'hono/html'
import { Marked, type Token } from 'marked'
import { guideLink } from '../../../contract/documents/guides.ts'
import { WholeWords } from '../../components/command.tsx'
import { Body } from '../../components/http-message.tsx'
import { Table } from '../../components/panel.tsx'

/** Blocks of Markdown, with code, tables and links of our pages. HTML other than anchors is text. */
export const Markdown = ({ tokens }: { readonly tokens: readonly Token[] }) => raw(marked.parser([...tokens]))

const marked = new Marked({
  renderer: {
    code: ({ text }) =>
      String(<Body label={`Code: ${text.replaceAll('\n', ' ').slice(0, 100)}`} text={text} />),
    codespan: ({ text }) =>
      String(
        <code>
          <WholeWords text={text} />
        </code>,
      ),
    blockquote({ tokens }) {
      return String(<blockquote class="quiet">{raw(this.parser.parse(tokens))}</blockquote>)
    },
    table({ header, rows }) {
      const heads = header.map(({ text }) => text)
      return String(
        <Table caption={heads.join(', ')} heads={heads} takesFocus>
          {rows.map((cells) => (
            <tr>
              {cells.map(({ tokens }) => (
                <td>{raw(this.parser.parseInline(tokens))}</td>
              ))}
            </tr>
          ))}
        </Table>,
      )
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      const address = linkTarget(href)
      return address === undefined ? words : String(<a href={address}>{raw(words)}</a>)
    },
    text(token) {
      if ('escaped' in token) token.escaped = false // after a tag such as <script> the library takes text for HTML
      return false
    },
    image: ({ text }) => plain(text),
    html: ({ text }) => anchorIn(text),
  },
})

const plain = (text: string): string => String(<span>{text}</span>)

/** An anchor by its id; its end is nothing, and other HTML is text. */
function anchorIn(text: string): string {
  const [, id] = /^<a id="([^"]+)">/.exec(text) ?? []
  if (id !== undefined) return String(<span id={id} />)
  return text === '</a>' ? '' : plain(text)
}

/** Where a link of a document leads on these pages; undefined for what they do not have. */
function linkTarget(href: string): string | undefined {
  if (/^(#|https:\/\/)/.test(href)) return href
  const link = guideLink(href)
  return link && link.path + link.anchor
}
