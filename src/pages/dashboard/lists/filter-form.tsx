import type { Child } from 'hono/jsx'
import { limits } from '../../../contract/headers.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { Hidden, Select, type SelectOption, Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { Icon } from '../../components/icons.tsx'
import type { Values } from '../../frame/page-view.tsx'

/** What a list searches. */
export interface ListSearch {
  /** Label of the search field: the searched fields. */
  readonly label: string
  readonly filters: { readonly q: string }
  readonly choices: Child
}

/**
 * The filters of a list as a GET form, in which no choice moves; on a phone they fold while none is set. The
 * list follows while one types. `others`: parameters of the address, which the form keeps.
 */
export const filterForm = (
  title: string,
  path: string,
  { label, filters, choices }: ListSearch,
  others: Values,
  problems: readonly string[],
) => {
  const { q: _, ...chosen } = filters
  const set = Object.values<string>(chosen).filter(Boolean)
  return (
    <search class="flex-1 narrow:contents" aria-label={title}>
      <form class="filters flex items-center gap-2 narrow:contents" method="get" action={path} data-apply>
        <label class="filter-text relative min-w-0 flex-[1_0_13rem] tight:basis-[calc(100%-3.5rem)] tight:shrink">
          <Icon
            name="search"
            look="absolute inset-y-0 start-2.5 h-full w-4 text-ink-soft pointer-events-none"
          />
          <span class="sr-only">{label}</span>
          <input
            class="ps-8 text-note text-ellipsis placeholder:text-note"
            id="filter-q"
            type="search"
            name="q"
            value={filters.q}
            placeholder={label}
            title={label}
            maxlength={limits.text}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
        <a
          class={`filter-clear link-button relative items-center px-1 text-note text-accent ${isFiltered(filters) ? 'flex' : 'hidden'}`}
          href={`${path}${queryString(others)}`}
        >
          Clear
        </a>
        {choices && (
          <Fold
            summary={['Filter', set.join(', ')].filter(Boolean).join(': ')}
            look="small"
            className={foldedLook}
            open={set.length > 0}
          >
            <div class="filter-choices flex items-center gap-2 narrow:order-1 narrow:has-[.filter-range]:basis-full tight:contents">
              {choices}
            </div>
          </Fold>
        )}
        <Hidden fields={others} />
        <Submit className="without-scripts">Search</Submit>
      </form>
      <Problems problems={problems} />
    </search>
  )
}

/** Folded on a phone; elsewhere in line with the search, wherever a browser can show what is folded. */
const foldedLook =
  'filter-fold contents max-md:[&>summary]:order-1 max-md:details-content:order-2 max-md:details-content:flex max-md:details-content:flex-[1_0_100%] max-md:details-content:flex-wrap max-md:details-content:gap-2 max-md:not-open:details-content:hidden md:details-content:contents md:details-content:[content-visibility:visible] md:supports-[selector(::details-content)]:[&>summary]:hidden'

/** Problems of the query; its wrong parameters are ignored. The script says there why a search is refused. */
export const Problems = ({ problems }: { readonly problems: readonly string[] }) => (
  <div class="order-3 basis-full pt-2 text-bad text-sm empty:hidden" role="alert" data-problems>
    {problems.map((problem) => (
      <p>{problem}</p>
    ))}
  </div>
)

interface ChoiceProps<Name extends string> {
  readonly name: Name
  readonly filters: { readonly [name in Name]: string }
  readonly options: readonly SelectOption[]
  readonly label?: string
}

/** The label of a filter; filters share a line in a narrow window. `isSet`: it leaves something out. */
export const filterLook = (isSet: boolean, width = 'w-33 tight:basis-23') =>
  `filter ${width} min-w-0 flex-none narrow:grow tight:order-1 *:text-note ${isSet ? 'filter-set *:border-accent *:bg-accent-tint *:font-semibold *:text-accent' : ''}`

/**
 * A filter with one of several values, or any; it applies as soon as it is selected. A value that is not
 * listed is one of them only while it is chosen: an address may have it.
 */
export const Choice = <Name extends string>({ name, filters, options, label = name }: ChoiceProps<Name>) => {
  const chosen: string = filters[name]
  const isListed = chosen === '' || options.some((each) => [each].flat()[0] === chosen)
  return (
    <label class={filterLook(chosen !== '')}>
      <span class="sr-only">{capitalize(label)}</span>
      <Select
        id={`filter-${name}`}
        name={name}
        options={[['', capitalize(label)], ...options, ...(isListed ? [] : [chosen])]}
        chosen={chosen || undefined}
      />
    </label>
  )
}

/** Reads the parameters of a query. */
export type QueryReader = ReturnType<typeof queryReader>

/** Reads parameters. A wrong one counts as absent and is told to `problems`. assumption: dashboard-list */
export function queryReader(query: Values) {
  const problems: string[] = []
  const text = (name: string, isValid: (text: string) => boolean, problem: string): string => {
    const value = query[name]?.trim() ?? ''
    if (value === '' || isValid(value)) return value
    problems.push(problem)
    return ''
  }
  return {
    problems,
    text,
    /** A name, or a text to search for; `label` names it in the sentence. */
    shortText: (name: string, label: string): string =>
      text(name, ({ length }) => length <= limits.text, `${label} has at most ${limits.text} characters.`),
    oneOf: (name: string, choices: readonly string[]): string =>
      text(name, (value) => choices.includes(value), `The ${name} must be one of ${choices.join(', ')}.`),
    /** The position below which a page begins; null for the newest. */
    before: (): string | null =>
      text(
        'before',
        (value) => /^\d{1,16}$/.test(value),
        'The parameter before must be a number of at most 16 digits, as in the links of the list.',
      ) || null,
  }
}

/** True when a filter is set. */
export const isFiltered = (filters: object): boolean => Object.values(filters).some((text) => text !== '')

/** `?` and these parameters: of one name the last; empty ones and null are left out. */
export function queryString(...parameters: readonly object[]): string {
  const set = Object.entries(Object.assign({}, ...parameters) as object)
  const query = new URLSearchParams(set.filter(([, value]) => value !== null && value !== '')).toString()
  return query === '' ? '' : `?${query}`
}
