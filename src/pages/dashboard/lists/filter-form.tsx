import type { PropsWithChildren } from 'hono/jsx'
import { narrows } from '../transactions/transaction-filters.ts'

interface FrameProps {
  readonly label: string
  /** Path of the list. */
  readonly path: string
  /** What the text is looked for in. */
  readonly sought: string
  readonly filters: { readonly q: string }
  readonly problems: readonly string[]
}

/** Filters of a list, with a text to search for: a plain form, so that a view has an address of its own. */
export const FilterFrame = ({
  label,
  path,
  sought,
  filters,
  problems,
  children,
}: PropsWithChildren<FrameProps>) => (
  <search aria-label={label}>
    <form class="filters" method="get" action={path}>
      <label class="filter filter-text">
        <span>{sought}</span>
        <input
          type="search"
          name="q"
          value={filters.q}
          maxlength={64}
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <div class="filter-acts">
        <button class="act" type="submit">
          Search
        </button>
        {narrows(filters) && (
          <a class="act act-plain" href={path}>
            Show all
          </a>
        )}
      </div>
      {children}
      <Problems problems={problems} />
    </form>
  </search>
)

/** What is wrong with an address of a list; that part of it narrows nothing. */
export const Problems = ({ problems }: { readonly problems: readonly string[] }) =>
  problems.length === 0 ? null : (
    <div class="filter-problems" role="alert">
      <ul>
        {problems.map((problem) => (
          <li>{problem}</li>
        ))}
      </ul>
    </div>
  )

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
}

/** One of several, or any. */
export const Choice = ({ name, label, value, options }: ChoiceProps) => (
  <label class="filter">
    <span>{label}</span>
    <select name={name} autocomplete="off">
      <option value="">Any</option>
      {options.map(([option, text]) => (
        <option value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
