import type { PropsWithChildren } from 'hono/jsx'
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
  <span class="command inline-flex bg-sunken text-start border rounded-md items-center justify-between gap-1 py-1 ps-2 pe-1 text-ink w-full">
    <code class="flex-1 min-w-0 py-1 text-xs max-sm:text-[0.6875rem]">
      <WholeWords text={text} />
    </code>
    {copies(text)}
  </span>
)

const copies = (text: string) => (
  <button class={copyLook} type="button" data-copy={text}>
    Copy<span class="sr-only"> {text}</span>
  </button>
)

/**
 * A text with commands, which breaks between words; within one with a hyphen or a slash only if it is longer
 * than a line, after a slash or a comma.
 */
export const WholeWords = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/((?<!\S)[^\s/-]*[-/]\S*(?: \\$)?)/m)
      .map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <bdi class="inline-block max-w-full">
            {part
              .split(/(?<=[/,])/)
              .map((piece, _, { length }) =>
                length === 1 ? piece : <bdi class="inline-block max-w-full">{piece}</bdi>,
              )}
          </bdi>
        ),
      )}
  </>
)

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
