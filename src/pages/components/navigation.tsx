import type { Child } from 'hono/jsx'
import { limits } from '../../contract/headers.ts'
import { capitalize } from '../../shared/text/words.ts'
import { formatNumber } from './format.ts'
import { Icon } from './icons.tsx'
import { actionLooks, iconButtonLook, tabLook } from './looks.ts'

/** Path of the list of each section. */
export const sections = {
  transactions: '/',
  batches: '/batches',
  webhooks: '/webhooks',
  terminals: '/terminals',
  requests: '/requests',
  docs: '/docs',
} as const

/** A section of the navigation. */
export type Section = keyof typeof sections

/** What a viewer may do. */
export const viewerMay = 'Your token may look at everything, and change nothing.'

/** On a phone all controls of the masthead stand on one line. */
const narrowButton = 'max-sm:justify-center max-sm:w-[min(2.5rem,11vw)] max-sm:min-w-0 max-sm:p-0'

/**
 * The masthead of the pages for developers: navigation, the control of the sandbox, theme. `space`: name of
 * the space; null for the first one.
 */
export const navigation = (section: Section | 'sandbox' | null, space: string | null, control: Child) => (
  <header class="masthead group bg-surface border-b flex items-center flex-wrap gap-x-1 px-2 text-sm sm:gap-x-3 sm:px-3 bar:sticky bar:top-0 bar:z-5 bar:flex-nowrap bar:px-6">
    <a class={`skip-link ${actionLooks.main} not-focus:sr-only`} href="#main">
      Skip to the content
    </a>
    <a
      class="wordmark text-inherit font-[650] tracking-tight flex items-center gap-2 min-h-12 text-lg no-underline"
      href="/"
      aria-label="tillbox"
    >
      <svg class="w-5.5 fill-accent" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M4 3h16v18l-2.7-2-2.6 2-2.7-2-2.7 2-2.6-2L4 21z" />
        <path class="fill-none stroke-surface stroke-2" d="M8 8h8M8 12h5" />
      </svg>
      <span class="whitespace-nowrap max-[44rem]:hidden">tillbox</span>
    </a>
    {space !== null && (
      <a
        class="pill space-chip min-w-16 max-w-48 flex-[0_1000_auto] overflow-hidden rounded-md font-mono text-ellipsis max-sm:order-8 max-sm:me-auto max-sm:max-w-full max-sm:whitespace-normal sm:max-bar:group-has-[.menu-on]:max-w-20"
        href="/./spaces"
        title={`Space ${space}: switch to another`}
      >
        <span class="sr-only">Space </span>
        {space}
      </a>
    )}
    <span class="pill text-test bg-test-tint" title="No real money moves. Only test cards are accepted.">
      Test<span class="max-[44rem]:hidden"> mode</span>
    </span>
    <span class="pill viewer-only text-ink-soft" title={viewerMay}>
      Viewer
    </span>
    <nav
      class="sections order-9 min-w-0 flex-[1_0_100%] overflow-x-auto [scrollbar-width:none] max-sm:-mx-1 bar:order-none bar:flex-none"
      aria-label="Sandbox"
    >
      <ul class="flex max-sm:justify-between">
        {Object.entries(sections).map(([name, href]) => (
          <li>
            <a
              class={`${tabLook} font-medium min-h-control max-sm:px-0.75 max-sm:text-xs`}
              href={href}
              aria-current={name === section ? 'page' : undefined}
            >
              {capitalize(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {control}
    <a
      class={`${actionLooks.main} new-payment-link gap-1 whitespace-nowrap flex-none ${narrowButton}`}
      href="/payments/new"
      aria-label="New payment"
      aria-keyshortcuts="n"
      data-drawer
    >
      <Icon name="plus" />
      <span class={`max-[44rem]:hidden ${space === null ? '' : 'bar:max-[86rem]:hidden'}`}>New payment</span>
    </a>
    <Palette />
    <button
      class={`${iconButtonLook} theme-switch with-scripts ${narrowButton}`}
      type="button"
      data-theme-switch
      data-act="Switch the theme: light, dark, automatic"
      aria-label="Theme"
    >
      <Icon name="theme" />
    </button>
  </header>
)

interface TabsProps {
  readonly label: string
  /** Value, text and address of each, and how many it has. */
  readonly tabs: readonly (readonly [value: string, text: string, href: string, count?: number | undefined])[]
  readonly chosen: string
  /** Beginning of their ids. */
  readonly id: string
  /** Keys that press them, by value. */
  readonly keys?: Readonly<Record<string, string>>
}

/** Links of which one is chosen, in a line. */
export const Tabs = ({ label, tabs, chosen, id, keys = {} }: TabsProps) => (
  <nav
    class="tabs flex gap-1 min-w-0 overflow-x-auto [scrollbar-width:none] text-sm in-[.panel]:-mx-2 max-sm:gap-0 max-sm:text-note max-sm:*:px-1.5 max-lg:in-[.beside]:gap-0 max-lg:in-[.beside]:text-note"
    aria-label={label}
  >
    {tabs.map(([value, text, href, count]) => (
      <a
        class={`${tabLook} min-h-control focus-visible:-outline-offset-3 aria-[current]:font-semibold`}
        id={`${id}-${value || 'all'}`}
        href={href}
        aria-current={value === chosen ? 'true' : undefined}
        aria-keyshortcuts={keys[value]}
      >
        {text}
        {count !== undefined && <span class="tabular-nums"> {formatNumber(count)}</span>}
      </a>
    ))}
  </nav>
)

const Palette = () => (
  <>
    <button
      class={`${iconButtonLook} palette-open with-scripts ${narrowButton}`}
      type="button"
      data-open-palette
      title="Search and act: ⌘K or Ctrl-K"
    >
      <Icon name="search" />
      <span class="sr-only">Search and act</span>
    </button>
    <dialog
      class="palette mx-auto mt-[10dvh] w-[min(36rem,calc(100vw-2rem))] rounded-lg"
      data-palette
      aria-label="Search and act"
    >
      <input
        class="min-h-12 border-0 border-b border-line bg-transparent px-4 -outline-offset-3"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-label="Go to, search, or act"
        placeholder="Do, find or go to anything"
        spellcheck={false}
        maxlength={limits.text}
        autocomplete="off"
      />
      <div
        class="palette-list max-h-[70dvh] overflow-y-auto p-2"
        id="palette-list"
        role="listbox"
        aria-label="Results"
      />
      <p class="sr-only" role="status" data-announce />
    </dialog>
  </>
)
