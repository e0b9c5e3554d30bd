import type { Child } from 'hono/jsx'
import { limits } from '../../contract/headers.ts'
import { capitalize } from '../../shared/text/words.ts'
import { formatNumber } from './format.ts'
import { Icon } from './icons.tsx'

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

/** The masthead of the pages for developers: navigation, the control of the sandbox, theme. `space`: name of the space; null for the first one. */
export const navigation = (section: Section | 'sandbox' | null, space: string | null, control: Child) => (
  <header class="masthead pad-0-3 rule-below row wrap small">
    <a class="skip-link action" href="#main">
      Skip to the content
    </a>
    <a class="wordmark tight row gap-2 large no-underline" href="/" aria-label="tillbox">
      <svg class="wordmark-figure" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M4 3h16v18l-2.7-2-2.6 2-2.7-2-2.7 2-2.6-2L4 21z" />
        <path class="wordmark-lines" d="M8 8h8M8 12h5" />
      </svg>
      <span class="wordmark-name one-line">tillbox</span>
    </a>
    {space !== null && (
      <a class="pill space-chip cut" href="/./spaces" title={`Space ${space}: switch to another`}>
        <span class="visually-hidden">Space </span>
        {space}
      </a>
    )}
    <span class="pill pill-test" title="No real money moves. Only test cards are accepted.">
      Test<span class="test-pill-rest"> mode</span>
    </span>
    <nav class="sections shrinks" aria-label="Sandbox">
      <ul>
        {Object.entries(sections).map(([name, href]) => (
          <li>
            <a href={href} aria-current={name === section ? 'page' : undefined}>
              {capitalize(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {control}
    <a
      class="action new-payment-link gap-1 one-line rigid"
      href="/payments/new"
      aria-label="New payment"
      aria-keyshortcuts="n"
      data-drawer
    >
      <Icon name="plus" />
      <span>New payment</span>
    </a>
    <Palette />
    <button
      class="icon-button stack centered soft theme-switch with-scripts"
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
  <nav class="tabs flex gap-1 shrinks small" aria-label={label}>
    {tabs.map(([value, text, href, count]) => (
      <a
        id={`${id}-${value || 'all'}`}
        href={href}
        aria-current={value === chosen ? 'true' : undefined}
        aria-keyshortcuts={keys[value]}
      >
        {text}
        {count !== undefined && <span class="tabular"> {formatNumber(count)}</span>}
      </a>
    ))}
  </nav>
)

const Palette = () => (
  <>
    <button
      class="icon-button stack centered soft palette-open with-scripts"
      type="button"
      data-open-palette
      title="Search and act: ⌘K or Ctrl-K"
    >
      <Icon name="search" />
      <span class="visually-hidden">Search and act</span>
    </button>
    <dialog class="palette round-m" data-palette aria-label="Search and act">
      <input
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
      <div class="palette-list pad-2" id="palette-list" role="listbox" aria-label="Results" />
    </dialog>
  </>
)
