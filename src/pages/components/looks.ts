/** Classes of what repeats in several components. */

const button =
  'action inline-flex items-center justify-center border rounded-md no-underline select-none disabled:cursor-progress disabled:opacity-75 forced-colors:border-[ButtonText]'
const usual = `${button} min-h-control px-3 py-1 text-sm`
const wide = `${button} w-full min-h-13 gap-2 px-3 py-1 text-[1.0625rem] tabular-nums`
const filled = 'border-accent bg-accent font-semibold text-on-accent hover:bg-accent-deep'
const outlined = 'border-line-strong font-medium text-ink hover:bg-sunken'
const link =
  'link-button inline-flex items-center min-h-7 px-1 text-note whitespace-nowrap underline underline-offset-[0.2em]'

/** Looks of what acts, as classes; red takes away for good: an outline asks first, a filled one does it. */
export const actionLooks = {
  plain: `${usual} ${outlined}`,
  main: `${usual} ${filled}`,
  danger: `${usual} border-bad font-medium text-bad hover:bg-sunken`,
  commit: `${usual} border-bad bg-bad font-semibold text-surface hover:bg-bad-deep`,
  /** As wide as its form: at the checkout. */
  wide: `${wide} ${filled}`,
  wallet: `${usual} wallet-button border-ink bg-ink font-semibold text-surface`,
  link: `${link} text-accent`,
  quiet: `${link} text-ink-soft`,
} as const

/** The label of a radio button that looks like one of several buttons. */
export const operationLook =
  'operation flex min-h-control cursor-pointer items-center gap-2 rounded-md border border-line-strong px-3 py-1 text-sm has-checked:border-accent has-checked:bg-accent-tint has-checked:text-accent'

/** A button that is an icon alone. */
export const iconButtonLook =
  'icon-button grid h-control min-w-8 place-items-center text-ink-soft hover:bg-sunken hover:text-ink'

const tab = 'flex flex-none items-center gap-1.5 px-2 whitespace-nowrap no-underline'

/** A link in a row of which one is chosen, and what is chosen without being a link. */
export const tabLook = `${tab} text-ink-soft aria-[current]:text-ink aria-[current]:inset-shadow-current`
export const chosenTabLook = `${tab} text-ink inset-shadow-current`

/** The title of a page. */
export const titleLook = 'text-2xl/tight tracking-tight'

/** A button that copies what stands beside it. */
export const copyLook =
  'copy-button flex-none px-2 py-1 text-note font-semibold text-accent hover:bg-accent-tint in-[.copy-text]:py-0'

/** What a page is about, and beside it what belongs to that; in a narrow window below it. */
export const columnsLook =
  'columns grid grid-cols-1 items-start gap-4 xl:not-in-[.beside]:has-[>.side_.panel]:grid-cols-[minmax(0,1fr)_20rem]'
export const sideLook =
  'side grid min-w-0 gap-4 [&>.fragment]:grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] xl:in-[.columns]:grid-cols-1'
