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
    <div class="panel-head flex wrap baseline between gap-3 below-3">
      <h2 class="body-size" id={`${name}-title`}>
        {title}
      </h2>
      {note}
    </div>
    {children}
  </section>
)

interface PageHeadProps {
  readonly title: string
  readonly lead?: Child
}

/** The head of a page; inside, what else belongs there. */
export const PageHead = ({ title, lead, children }: PropsWithChildren<PageHeadProps>) => (
  <header class="page-head gap-3 row wrap between below-4">
    <h1 class="page-title tight">{title}</h1>
    {lead !== undefined && <p class="page-lead">{lead}</p>}
    {children}
  </header>
)

interface EmptyProps {
  readonly title: string
  /** What to type to see something. */
  readonly commands?: readonly string[]
  /** Where the browser reached the sandbox; commands need it. */
  readonly baseUrl?: string
}

/** Message of an empty list, with commands that fill it. */
export const Empty = ({ title, commands = [], baseUrl = '', children }: PropsWithChildren<EmptyProps>) => (
  <div class="empty stack gap-2 soft small text-center">
    <p class="ink large bold">{title}</p>
    {children}
    {commands.length > 0 && (
      <ul class="commands stack one-column gap-2 above-3">
        {commands.map((command) => (
          <li>
            <Command text={command} baseUrl={baseUrl} />
          </li>
        ))}
      </ul>
    )}
  </div>
)

interface TableProps {
  readonly kind?: 'table' | 'table dense' | 'table dense every-width'
  readonly caption: string
  /** Heads of the columns, some with a class: from which width they are shown, and whether they hold figures. An empty one keeps the place of its column. */
  readonly heads: readonly (string | readonly [text: Child, className: string])[]
  readonly foot?: readonly Child[]
  /** True where its cells have no links, which the keyboard could scroll by. */
  readonly takesFocus?: boolean
}

/** A table in a box: columns are shown by its width, and it scrolls within it where it must. A caption is for readers. */
export const Table = ({ kind = 'table', foot = [], ...table }: PropsWithChildren<TableProps>) => (
  <div class="table-box" tabindex={table.takesFocus ? 0 : undefined}>
    <table class={kind}>
      <caption class="visually-hidden">{table.caption}</caption>
      <thead>
        <tr>
          {table.heads.map((head) => {
            const [text, className] = typeof head === 'string' ? [head] : head
            return text === '' ? (
              <td class={className} />
            ) : (
              <th scope="col" class={className || undefined}>
                {text}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{table.children}</tbody>
      {foot.length > 0 && <tfoot>{foot}</tfoot>}
    </table>
  </div>
)

interface RecordHeadProps {
  readonly title: Child
  /** State of the record, under the title. */
  readonly state: Child
  readonly facts: readonly DescriptionItem[]
}

/** Head of the page of one record; its children are the actions. */
export const RecordHead = ({ title, state, facts, children }: PropsWithChildren<RecordHeadProps>) => (
  <header class="record-head panel below-4 stack gap-3">
    <div>
      <h1 class="record-title">{title}</h1>
      <p class="record-state gap-2 flex wrap soft above-1">{state}</p>
    </div>
    <Pairs kind="facts" pairs={facts} />
    {children && <div class="record-actions row wrap gap-2">{children}</div>}
  </header>
)

/** A name with its value; `className` emphasises it. */
export type DescriptionItem = readonly [name: Child, value: Child, className?: string | undefined]

const pairLooks = {
  facts: 'facts stack small',
  members: 'members stack smaller',
  reasons: 'reasons stack gap-2 small',
  rows: 'rows stack gap-2 small',
} as const

interface PairsProps {
  readonly kind: keyof typeof pairLooks
  readonly pairs: readonly DescriptionItem[]
}

/** Names with their values; a pair whose value is null is left out. */
export const Pairs = ({ kind, pairs }: PairsProps) => (
  <dl class={pairLooks[kind]}>
    {pairs
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value, className]) => (
        <div class={className}>
          <dt class="soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
