import type { PropsWithChildren } from 'hono/jsx'
import { addressed } from '../../presentation/copy-as.ts'
import { Fold } from './basics.tsx'

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
  <span class="command inline-flex on-sunken text-start lined round-s middle between gap-1 ink wide">
    <code class="grows shrinks">
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

/** A command beside buttons: on a phone behind a fold. */
export const FoldedCommand = (command: CommandProps) => (
  <Fold className="fold command-fold shrinks" summary="As command">
    <Command {...command} />
  </Fold>
)

/** Words at which a browser could break: an option with its value and a quoted text, if they are short, and a name with a hyphen or a slash. */
const words =
  /((?<=^|\s)(?:--?\w[\w-]*(?:[ =](?!-)(?:'(?:[^'\n]|'\\''){0,60}'|"[^"\n]{0,60}"|\S{1,60}))?|'(?:[^'\n]|'\\''){0,60}'|"[^"\n]{0,60}"|\S+[-/]\S+)(?=\s|$))/

/** Between an option and its value. */
const afterOption = /(?<=^--?\w[\w-]*) /

/** Within the path of a URL, where it may break. */
const afterSlash = /(?<=[\w-]\/)(?=\w)/

/**
 * A text with commands. It breaks between options; within an option where there is no room; within a word only if that is
 * longer than a line; and in a long path after a slash.
 */
export const WholeFlags = ({ text }: { readonly text: string }) => (
  <>{text.split(words).map((part, index) => (index % 2 === 0 ? part : wholeWord(part)))}</>
)

/** A sentence, with what stands in backticks as code. */
export const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text.split('`').map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <code>
          <WholeFlags text={part} />
        </code>
      ),
    )}
  </>
)

const wholeWord = (word: string) => (
  <bdi class={/^-|^[^/]*$/.test(word) ? 'whole' : undefined}>
    {word
      .split(afterOption)
      .map((part, at) => [
        at > 0 && ' ',
        <bdi class="word">
          {part.includes('/')
            ? part.split(afterSlash).map((piece) => <bdi class="whole">{piece}</bdi>)
            : part}
        </bdi>,
      ])}
  </bdi>
)

/** A button that copies a text shown elsewhere on the page; needs scripts. */
export const CopyButton = ({ text, children }: PropsWithChildren<{ readonly text: string }>) => (
  <button class="action action-plain" type="button" data-copy={text}>
    {children}
  </button>
)

/** A text such as an id, with a copy button if scripts run. */
export const CopyText = ({ text }: { readonly text: string }) => (
  <span class="copy-text inline-flex baseline">
    <span class="code shrinks breaks">{text}</span>
    {copies(text)}
  </span>
)
