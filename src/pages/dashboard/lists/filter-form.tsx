import type { PropsWithChildren } from 'hono/jsx'
import { capitalize } from '../../../text/words.ts'
import { Select, Submit } from '../../components/actions.tsx'
import { Icon } from '../../components/icons.tsx'
import { isFiltered } from './list-query.ts'

interface FilterFormProps {
  readonly label: string
  /** Path of the list. */
  readonly path: string
  /** Label of the search field: the searched fields. */
  readonly searchLabel: string
  readonly filters: { readonly q: string }
  /** False when chips show the filters and remove them. */
  readonly hasShowAll?: boolean
  readonly problems: readonly string[]
}

/** The filters of a list as a GET form: every view has its own address. */
export const FilterForm = ({
  label,
  path,
  searchLabel,
  filters,
  hasShowAll = true,
  problems,
  children,
}: PropsWithChildren<FilterFormProps>) => (
  <search aria-label={label}>
    <form class="filters row wrap gap-2 relative" method="get" action={path} data-apply>
      <label class="filter shrinks filter-text relative">
        <Icon name="search" />
        <span class="visually-hidden">{searchLabel}</span>
        <input
          type="search"
          name="q"
          value={filters.q}
          placeholder={searchLabel}
          maxlength={64}
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      {children}
      <div class="filter-actions flex gap-2">
        <Submit className="without-scripts">Search</Submit>
        {hasShowAll && isFiltered(filters) && (
          <a class="action action-plain action-small" href={path}>
            Show all
          </a>
        )}
      </div>
      <Problems problems={problems} />
    </form>
  </search>
)

/** Problems of the query; its wrong parameters are ignored. */
export const Problems = ({ problems }: { readonly problems: readonly string[] }) =>
  problems.length === 0 ? null : (
    <div class="filter-problems bad small wide" role="alert">
      <ul>
        {problems.map((problem) => (
          <li>{problem}</li>
        ))}
      </ul>
    </div>
  )

/** A filter that is set: its label, and the address of the list without it. */
export interface Chip {
  readonly name: string
  readonly value: string
  readonly without: string
}

/** The filters that are set, each with what takes it away. */
export const Chips = ({ chips, path }: { readonly chips: readonly Chip[]; readonly path: string }) =>
  chips.length === 0 ? null : (
    <ul class="chips gap-2 row wrap shrinks" aria-label="Filters that are set">
      {chips.map(({ name, value, without }) => (
        <li>
          <a class="chip" href={without} aria-label={`Remove the filter ${name}: ${value}`}>
            <span class="light soft">{name}</span> {value}
            <Icon name="cross" />
          </a>
        </li>
      ))}
      <li>
        <a class="chip-clear" href={path}>
          Clear all
        </a>
      </li>
    </ul>
  )

interface ChoiceProps<Name extends string> {
  readonly name: Name
  readonly filters: { readonly [name in Name]: string }
  /** Values and their labels. */
  readonly options: readonly (readonly [string, string])[]
  /** Label, if it differs from the name. */
  readonly label?: string
}

/** A filter with one of several values, or any; it applies as soon as it is selected. */
export const Choice = <Name extends string>({ name, filters, options, label = name }: ChoiceProps<Name>) => (
  <label class={filters[name] === '' ? 'filter shrinks' : 'filter shrinks filter-set'}>
    <span class="visually-hidden">{capitalize(label)}</span>
    <Select name={name} options={[['', `Any ${label}`], ...options]} chosen={filters[name] || undefined} />
  </label>
)

/** Views that the browser keeps, by name: the script fills them in. Without scripts an address is kept as a bookmark. */
export const SavedViews = () => (
  <nav class="views" aria-label="Saved views" data-views hidden>
    <ul class="views-list flex wrap smaller" />
    <template>
      <li class="view">
        <a class="view-link ink medium no-underline" href="/">
          View
        </a>
        <button class="icon-button view-remove" type="button">
          <Icon name="cross" />
        </button>
      </li>
    </template>
  </nav>
)

/** Names the view of the address; shown unless the view is kept already. */
export const SaveView = () => (
  <details class="save-view relative" data-save-view hidden>
    <summary class="link-button">Save view</summary>
    <form class="popover save-view-form">
      <label>
        <span class="visually-hidden">Name of the view</span>
        <input name="name" required maxlength={40} placeholder="Name" autocomplete="off" />
      </label>
      <Submit look="main">Save</Submit>
    </form>
  </details>
)
