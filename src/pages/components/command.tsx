import type { Child, PropsWithChildren } from 'hono/jsx'
import { addressed } from '../../contract/presentation/copy-as.ts'
import { actionLooks, copyLook } from './looks.ts'

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
  <span class="command relative inline-block bg-sunken text-start border rounded-md px-2 py-2 text-ink w-full">
    <code class="code-line [--hang:2ch] text-xs max-sm:text-[0.6875rem] before:float-end before:h-[1lh] before:w-12">
      {text.split(/(?<=&& )/).map((command, index, { length }) => (
        <bdi
          class={length === 1 ? '' : `${inOnePiece} ${index === 0 ? 'indent-0' : 'ps-[2ch] -indent-[2ch]'}`}
        >
          <WholeWords text={command} />
        </bdi>
      ))}
    </code>
    <span class="absolute top-0.75 right-1">{copies(text)}</span>
  </span>
)

const copies = (text: string) => (
  <button class={copyLook} type="button" data-copy={text}>
    Copy<span class="sr-only"> {text}</span>
  </button>
)

/** A flag, before its value. */
const flag = String.raw`(?:--[\w-]+|-[A-Za-z]) (?=[^-\s\\#&|<>])`

/** Text in quotes, which may hold spaces. */
const quoted = String.raw`(?<!\w)'[^'\n]*'|(?<!\w)"[^"\n]*"`

/** A word of a command: a flag is one with its value, and the last of a line with the backslash after it. */
const argument = new RegExp(`((?<!\\S)(?:${flag})?(?:${quoted}|\\S)+(?: \\\\$)?)`, 'm')

const spaceOrComma = /( )(?!\\$)|(?<=,)/
const pathOrMember = /(?<=[\w.}]\/|":)/

/** A longer text breaks anywhere: its page would be slow. */
const longestArranged = 10_000

const inOnePiece = 'inline-block max-w-full'

/**
 * A text with commands, which breaks between arguments; within one only if it is longer than a line, and then
 * it goes on further in.
 */
export const WholeWords = ({ text }: { readonly text: string }) => (
  <>
    {text.length > longestArranged
      ? text
      : text
          .split(argument)
          .map((part) =>
            /[-/ ]/.test(part.trim()) ? <Whole text={part} ends={[spaceOrComma, pathOrMember]} /> : part,
          )}
  </>
)

interface WholeProps {
  readonly text: string
  /** Where it breaks if it is longer than a line, and where such a part does. */
  readonly ends: readonly RegExp[]
}

const Whole = ({ text, ends: [end, ...others] }: WholeProps): Child => {
  if (end === undefined) return <bdi class={`${inOnePiece} indent-0`}>{text}</bdi>
  const parts = text.split(end).filter(Boolean)
  if (parts.length === 1) return <Whole text={text} ends={others} />
  return (
    <bdi class={`${inOnePiece} ps-[2ch] -indent-[2ch]`}>
      {parts.map((part) => (part === ' ' ? part : <Whole text={part} ends={others} />))}
    </bdi>
  )
}

/** How far in a line of code goes on that does not fit, by the spaces before it. */
const hangs: Readonly<Record<number, string>> = {
  0: '[--hang:4ch]',
  2: '[--hang:4ch]',
  4: '[--hang:6ch]',
  6: '[--hang:8ch]',
  8: '[--hang:10ch]',
  10: '[--hang:12ch]',
  12: '[--hang:14ch]',
}

/** Classes of a line of code with so many spaces before it. */
export const codeLine = (spaces: number): string => `code-line ${hangs[Math.min(spaces - (spaces % 2), 12)]}`

/** A sentence, with what stands in backticks as code. */
export const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text.split('`').map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <code>
          <WholeWords text={part} />
        </code>
      ),
    )}
  </>
)

/** A button that copies a text shown elsewhere on the page; needs scripts. */
export const CopyButton = ({ text, children }: PropsWithChildren<{ readonly text: string }>) => (
  <button class={actionLooks.plain} type="button" data-copy={text}>
    {children}
  </button>
)

/** A text such as an id, with a copy button if scripts run. A URL breaks after a slash. */
export const CopyText = ({ text }: { readonly text: string }) => (
  <span class="copy-text inline-flex items-baseline">
    <span class="code min-w-0">
      {text.split(/(?<=\/)/).map((piece, index) => [index > 0 && <wbr />, piece])}
    </span>
    {copies(text)}
  </span>
)
