import type { Child, PropsWithChildren } from 'hono/jsx'
import type { RequestSummary } from '../../contract/sandbox/request-log.ts'
import type { Status } from '../../contract/statuses.ts'
import type { DeliveryState } from '../../contract/webhooks.ts'
import { addressed } from '../../presentation/copy-as.ts'
import { statusGroupOf } from '../../views/statistics/contribution.ts'
import { statusNames } from './format.ts'

/** A status as a dot and a word. */
export const StatusBadge = ({ status }: { readonly status: Status }) => (
  <span class={`state state-${statusGroupOf(status)}`}>{statusNames[status]}</span>
)

const stateTones = { delivered: 'success', failed: 'fail', pending: 'open' } as const
const stateNames = { delivered: 'Delivered', failed: 'Failed', pending: 'Pending' } as const

/** The state of a delivery as a dot and a word. */
export const DeliveryBadge = ({ state }: { readonly state: DeliveryState }) => (
  <span class={`state state-${stateTones[state]}`}>{stateNames[state]}</span>
)

/** How a request was answered, as a dot and a word; of a refused one its code, which may break between its parts. */
export const AnswerBadge = ({ request: { refusal, code } }: { readonly request: RequestSummary }) => (
  <span class={`state state-${refusal === null ? 'success' : 'fail'}`}>
    {refusal === null ? 'Accepted' : <span>{code.split(/(?<=_)/).map((part) => [part, <wbr />])}</span>}
  </span>
)

interface PanelProps {
  readonly title: string
  /** Names the panel for links and readers. */
  readonly name: string
  readonly note?: Child
}

/** A titled part of a page. */
export const Panel = ({ title, name, note, children }: PropsWithChildren<PanelProps>) => (
  <section class={`panel panel-${name}`} aria-labelledby={`${name}-title`}>
    <div class="panel-head">
      <h2 id={`${name}-title`}>{title}</h2>
      {note}
    </div>
    {children}
  </section>
)

interface EmptyProps {
  readonly title: string
  /** What to type to see something. */
  readonly commands: readonly string[]
  /** Where the browser reached the sandbox. */
  readonly origin: string
}

/** What a page says while there is nothing to show, and what to type to see something. */
export const Empty = ({ title, commands, origin, children }: PropsWithChildren<EmptyProps>) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
    <ul class="commands">
      {commands.map((command) => (
        <li>
          <Command text={command} origin={origin} />
        </li>
      ))}
    </ul>
  </div>
)

interface CommandProps {
  readonly text: string
  /** Where the browser reached the sandbox; the command says so unless it finds it there by itself. */
  readonly origin: string
}

/** A command to type, with a button that copies it where scripts run. */
export const Command = ({ text, origin }: CommandProps) => {
  const command = addressed(text, origin)
  return (
    <span class="command">
      <code>
        {command.split(' ').map((word) => (
          <>
            <span class="command-word">{word}</span>{' '}
          </>
        ))}
      </code>
      <button class="copy-button" type="button" data-copy={command}>
        Copy<span class="visually-hidden"> {command}</span>
      </button>
    </span>
  )
}

interface CopyAsProps {
  /** What the button says. */
  readonly what: string
  readonly text: string
}

/** A button that copies a text that stands elsewhere on the page; only where scripts run. */
export const CopyButton = ({ what, text }: CopyAsProps) => (
  <button class="action action-plain" type="button" data-copy={text}>
    {what}
  </button>
)

/** A table that scrolls within itself where it must, with a caption for readers. */
export const Table = ({
  caption,
  heads,
  children,
}: PropsWithChildren<{ readonly caption: string; readonly heads: readonly Child[] }>) => (
  <table class="table">
    <caption class="visually-hidden">{caption}</caption>
    <thead>
      <tr>{heads}</tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
