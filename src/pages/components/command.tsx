import type { PropsWithChildren } from 'hono/jsx'
import { addressed } from '../../presentation/copy-as.ts'

interface CommandProps {
  readonly text: string
  /** URL of the sandbox in the browser; the command names it unless it finds the sandbox by itself. */
  readonly baseUrl: string
}

/** A command to type, with a button that copies it where scripts run. */
export const Command = ({ text, baseUrl }: CommandProps) => (
  <AddressedCommand text={addressed(text, baseUrl)} />
)

/** A command that names the sandbox already. */
export const AddressedCommand = ({ text }: { readonly text: string }) => (
  <span class="command inline-flex on-sunken text-start lined round-s middle between gap-3 ink wide">
    <code>
      <WholeFlags text={text} />
    </code>
    {copies(text)}
  </span>
)

const copies = (text: string) => (
  <button class="copy-button accented smaller bold rigid" type="button" data-copy={text}>
    Copy<span class="visually-hidden"> {text}</span>
  </button>
)

/** Characters of a word that a phone has room for. */
const mostWhole = 24

/** Within the path of a URL, where it may break. */
const afterSlash = /(?<=[\w-]\/)(?=\w)/

/** A text with commands, whose flags and names break at no hyphen; longer words, such as UUIDs, do. */
export const WholeFlags = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/((?<=^|\s)[\w=-]*-[\w=-]*(?=\s|$))/)
      .map((part, index) =>
        index % 2 === 1 && part.length <= mostWhole ? (
          <span class="one-line">{part}</span>
        ) : (
          part.split(afterSlash).map((piece, at) => [at > 0 && <wbr />, piece])
        ),
      )}
  </>
)

/** A button that copies a text shown elsewhere on the page; needs scripts. */
export const CopyButton = ({ text, children }: PropsWithChildren<{ readonly text: string }>) => (
  <button class="action action-plain action-small" type="button" data-copy={text}>
    {children}
  </button>
)

/** A text such as an id, with a copy button if scripts run. */
export const CopyText = ({ text }: { readonly text: string }) => (
  <span class="copy-text inline-flex baseline breaks">
    <span class="code">
      <WholeFlags text={text} />
    </span>
    {copies(text)}
  </span>
)
