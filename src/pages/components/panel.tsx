import type { Child, PropsWithChildren } from 'hono/jsx'
import { Command } from './command.tsx'
import { titleLook } from './looks.ts'

interface PanelProps {
  readonly title: string
  /** Names the panel for links and readers. */
  readonly name: string
  readonly note?: Child
}

interface PanelHeadProps {
  readonly title: string
  readonly id?: string
}

/** The title of a panel; inside, what stands at the end of its line. */
export const PanelHead = ({ title, id, children }: PropsWithChildren<PanelHeadProps>) => (
  <div class="flex flex-wrap items-baseline justify-between gap-3 mb-3">
    <h2 class="scroll-mt-4 text-base" id={id}>
      {title}
    </h2>
    {children}
  </div>
)

/** A titled part of a page. */
export const Panel = ({ title, name, note, children }: PropsWithChildren<PanelProps>) => (
  <section class={`panel panel-${name}`} aria-labelledby={`${name}-title`}>
    <PanelHead id={`${name}-title`} title={title}>
      {note}
    </PanelHead>
    {children}
  </section>
)

interface PageHeadProps {
  readonly title: string
  readonly lead?: Child
}

/** The head of a page; inside, what else belongs there. */
export const PageHead = ({ title, lead, children }: PropsWithChildren<PageHeadProps>) => (
  <header class="page-head group flex flex-wrap items-baseline justify-between gap-3 mb-4">
    <h1 class={`${titleLook} ${lead === undefined ? 'me-auto' : ''}`}>{title}</h1>
    {lead !== undefined && (
      <p class="page-lead me-auto text-sm text-ink-soft max-lg:group-has-[>.add]:order-1 max-lg:group-has-[>.add]:basis-full">
        {lead}
      </p>
    )}
    {children}
  </header>
)

interface EmptyProps {
  readonly title: string
  /** What to type to see something, each with what it does where there are several. */
  readonly commands?: readonly (string | readonly [label: Child, command: string])[]
  /** Where the browser reached the sandbox; commands need it. */
  readonly baseUrl?: string
}

/** Message of an empty list, with commands that fill it. */
export const Empty = ({ title, commands = [], baseUrl = '', children }: PropsWithChildren<EmptyProps>) => (
  <div class="empty grid justify-items-center gap-2 px-2 py-6 text-ink-soft text-sm text-center">
    <p class="text-ink text-lg font-semibold">{title}</p>
    {children}
    {commands.length > 0 && (
      <ul class="grid grid-cols-1 gap-2 max-w-full mt-3">
        {commands.map((each) => {
          const [label, command] = typeof each === 'string' ? [null, each] : each
          return (
            <li>
              {label !== null && <p class="mb-1 text-start text-note">{label}</p>}
              <Command text={command} baseUrl={baseUrl} />
            </li>
          )
        })}
      </ul>
    )}
  </div>
)

interface TableProps {
  readonly kind?: 'table' | 'table dense' | 'table dense every-width'
  readonly caption: string
  /**
   * Heads of the columns, some with a class: from which width they are shown, and whether they hold figures.
   * An empty one keeps the place of its column.
   */
  readonly heads: readonly (string | readonly [text: Child, className: string])[]
  /** True where its cells have no links, which the keyboard could scroll by. */
  readonly takesFocus?: boolean
}

/** A table in a box: its width decides on columns, and it scrolls where it must. Readers hear a caption. */
export const Table = ({ kind = 'table', ...table }: PropsWithChildren<TableProps>) => (
  <div
    class={`table-box @container ${kind === 'table dense' ? '' : 'overflow-x-auto beside:overflow-visible'}`}
    tabindex={table.takesFocus ? 0 : undefined}
  >
    <table class={kind}>
      <caption class="sr-only">{table.caption}</caption>
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
    </table>
  </div>
)

interface RecordHeadProps {
  readonly title: Child
  /** State of the record, under the title. */
  readonly state: Child
  readonly facts: readonly DescriptionItem[]
}

/** Facts that stand on a phone; more than one beyond them unfold there. */
const firstFacts = 3

/** Head of the page of one record; its children are the actions. */
export const RecordHead = ({ title, state, children, ...record }: PropsWithChildren<RecordHeadProps>) => {
  const facts = record.facts.filter(([, value]) => value !== null && value !== undefined)
  const folds = facts.length > firstFacts + 1
  return (
    <header class="group/record panel @container mb-4 grid gap-3 lg:grid-cols-[minmax(22rem,auto)_minmax(14rem,1fr)] lg:grid-rows-[auto_1fr] lg:items-start lg:in-[.beside]:grid-cols-1 lg:in-[.beside]:grid-rows-none">
      <div>
        <h1 class="record-title text-3xl/[1.2] max-sm:text-2xl/[1.2] tracking-[-0.03em] in-[.beside]:text-2xl in-[.beside]:before:float-end in-[.beside]:before:h-7 in-[.beside]:before:w-40">
          {title}
        </h1>
        <p class="record-state flex flex-wrap gap-2 mt-1 text-ink-soft lg:not-in-[.beside]:max-w-88 [&_.state]:font-semibold">
          {state}
        </p>
      </div>
      <Pairs
        kind="facts"
        pairs={facts.map(([name, value, look = ''], index) => [
          name,
          value,
          folds && index >= firstFacts ? `${look} @max-sm:not-group-has-checked/record:hidden` : look,
        ])}
      />
      {folds && (
        <label class="relative hidden w-fit cursor-pointer text-note text-accent underline underline-offset-[0.2em] has-focus-visible:outline-2 @max-sm:order-2 @max-sm:block @max-sm:group-has-checked/record:hidden">
          <input class="absolute inset-0 opacity-0" type="checkbox" autocomplete="off" />
          More details
        </label>
      )}
      {children && (
        <div class="record-actions flex flex-wrap items-center gap-2 lg:not-in-[.beside]:max-w-88">
          {children}
        </div>
      )}
    </header>
  )
}

/** What is to be said below the rows of a list, or in place of them. */
export const ListNote = ({ children }: PropsWithChildren) => (
  <p class="pt-4 text-center text-sm text-ink-soft">{children}</p>
)

/** A name with its value; `className` emphasises it. */
export type DescriptionItem = readonly [name: Child, value: Child, className?: string | undefined]

/** Classes of a list of pairs, of a pair, its name and its value. */
const pairLooks = {
  facts: [
    'facts grid text-sm @max-sm:order-1 @max-sm:gap-2 @sm:grid-cols-[repeat(auto-fill,minmax(14.5rem,1fr))] @sm:gap-x-6 @sm:gap-y-2 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:border-s lg:ps-8 lg:in-[.beside]:col-auto lg:in-[.beside]:row-auto lg:in-[.beside]:border-0 lg:in-[.beside]:p-0 [&_.code]:text-xs @max-sm:[&_.code]:truncate @max-sm:[&_.copy-text]:max-w-full @max-sm:[&_.copy-button]:-me-2',
    '@max-sm:flex @max-sm:flex-wrap @max-sm:items-baseline @max-sm:justify-between @max-sm:gap-x-2 @max-sm:text-end',
    'text-note',
    'min-w-0',
  ],
  members: [
    'grid gap-0.75 text-note',
    'grid grid-cols-[minmax(8.5rem,11fr)_minmax(0,13fr)] gap-3',
    '',
    'font-mono',
  ],
  reasons: ['grid gap-2 text-sm', 'grid grid-cols-[6rem_minmax(0,42rem)] gap-3', '', ''],
  rows: ['rows grid gap-2 text-sm', 'flex justify-between gap-6', 'flex-none', 'text-end tabular-nums'],
  inline: ['flex flex-wrap gap-2 text-sm', 'flex flex-wrap gap-2', 'flex-none', 'text-end tabular-nums'],
} as const

interface PairsProps {
  readonly kind: keyof typeof pairLooks
  readonly pairs: readonly DescriptionItem[]
}

/** Names with their values; a pair whose value is null is left out. */
export const Pairs = ({ kind, pairs }: PairsProps) => (
  <dl class={pairLooks[kind][0]}>
    {pairs
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value, className]) => (
        <div class={`${pairLooks[kind][1]} ${className ?? ''}`}>
          <dt class={`text-ink-soft ${pairLooks[kind][2]} in-[.row-total]:text-inherit`}>{name}</dt>
          <dd class={pairLooks[kind][3]}>{value}</dd>
        </div>
      ))}
  </dl>
)
