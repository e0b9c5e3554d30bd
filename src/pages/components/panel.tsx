import type { Child, PropsWithChildren } from 'hono/jsx'
import { Command } from './command.tsx'

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
