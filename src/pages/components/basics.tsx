import type { Child, PropsWithChildren } from 'hono/jsx'
import type { RequestSummary } from '../../contract/control/request-log-answers.ts'
import type { ReceiptLine } from '../../contract/control/screens.ts'
import type { DeliveryView } from '../../contract/control/webhooks.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { statusDisplay, statusInWords } from '../../sandbox/views/status-in-words.ts'
import { capitalize } from '../../shared/text/words.ts'
import { Icon, type IconName } from './icons.tsx'
import { chosenTabLook, tabLook, titleLook } from './looks.ts'

interface NoticeProps {
  readonly tone: 'info' | 'error'
  readonly title: Child
}

/** Icon of a notice, and classes of its box, its icon and its title. */
const noticeLooks = {
  info: ['info', 'bg-sunken', 'bg-ink-soft', ''],
  error: ['alert', 'border-bad-line bg-bad-tint', 'bg-bad', 'text-bad'],
} as const

/** A message above the content that it refers to; screen readers announce an error immediately. */
export const Notice = ({ tone, title, children }: PropsWithChildren<NoticeProps>) => {
  const [icon, box, mark, heading] = noticeLooks[tone]
  return (
    <div
      class={`notice flex gap-3 p-4 border rounded-lg text-sm ${box} [&_a]:text-inherit [&_li]:mt-2`}
      role={tone === 'error' ? 'alert' : 'status'}
    >
      <span
        class={`grid place-items-center flex-none size-6 rounded-full text-paper ${mark} forced-colors:border`}
      >
        <Icon name={icon} look="w-4" />
      </span>
      <div class="notice-text min-w-0">
        <p class={`notice-title text-base font-semibold ${heading}`}>{title}</p>
        {children}
      </div>
    </div>
  )
}

/** A paper slip, on which an order and a result are shown. */
export const Slip = ({ look = '', children }: PropsWithChildren<{ readonly look?: string }>) => (
  <div class={`slip ${look}`}>
    <div class="slip-paper">{children}</div>
  </div>
)

interface FoldProps {
  readonly summary: string
  readonly open?: boolean
  readonly look?: keyof typeof foldLooks
  readonly className?: string
}

const foldHead =
  'fold-head group-open:[&>svg]:rotate-180 flex items-center rounded-md font-medium text-ink-soft hover:bg-sunken hover:text-ink'

/** Looks of what opens a fold: as wide as its place, or as wide as its words. */
const foldLooks = {
  wide: `${foldHead} min-h-control justify-between gap-3 px-3 py-2 text-sm`,
  small: `${foldHead} min-h-control w-fit gap-1 -mx-1 px-1 text-note`,
  tab: `${tabLook} max-sm:text-note min-h-control justify-between rounded-md font-medium hover:bg-sunken hover:text-ink group-open:[&>svg]:rotate-180`,
  chosenTab: `${chosenTabLook} max-sm:text-note min-h-control justify-between font-medium group-open:[&>svg]:rotate-180`,
}

/** A part of a page that folds away. */
export const Fold = ({
  summary,
  open,
  className = 'fold',
  look = 'wide',
  children,
}: PropsWithChildren<FoldProps>) => (
  <details class={`group ${className}`} open={open}>
    <summary class={foldLooks[look]}>
      <span>{summary}</span>
      <Icon name="chevron" />
    </summary>
    {children}
  </details>
)

/** Says that the sandbox does not answer, over the page, while that is so. Inside: what that means. */
export const ConnectionNotice = ({ children }: PropsWithChildren) => (
  <div class="fixed inset-x-3 top-3 z-6 mx-auto max-w-160 *:shadow-lg" data-dead hidden>
    <Notice tone="error" title="The sandbox does not answer">
      {children || <p>This page may be out of date. It reconnects automatically; if not, reload it.</p>}
    </Notice>
  </div>
)

/** Status of a transaction, as a dot and words; the title has the status on the wire. */
export const StatusBadge = ({ transaction }: { readonly transaction: Transaction }) => {
  const { group, isPart } = statusDisplay(transaction)
  return (
    <span class={`state tone-${group}${isPart ? ' part' : ''}`} title={transaction.status}>
      {statusInWords(transaction)}
    </span>
  )
}

/** Tones of the states of a delivery. */
const stateTones = { delivered: 'success', failed: 'fail', pending: 'open' } as const

interface DeliveryBadgeProps {
  readonly delivery: Pick<DeliveryView, 'state' | 'held' | 'attempts' | 'listener'>
  /** Pauses before further attempts, but for a listener, which has its own. */
  readonly retries: readonly number[]
}

/** The state of a delivery as a dot and words: `Retrying, 2 of 7`. */
export const DeliveryBadge = ({ delivery, retries }: DeliveryBadgeProps) => {
  const { state, held, attempts, listener } = delivery
  const ofAll = listener ? '' : ` of ${retries.length + 1}`
  const isRetrying = state === 'pending' && attempts > 0
  return (
    <span class={`state tone-${stateTones[state]}`}>
      {held ? 'Held' : isRetrying ? `Retrying, ${attempts}${ofAll}` : capitalize(state)}
    </span>
  )
}

/** How a request was answered, as a dot and a word; of a refused one its code, which a narrow list cuts. */
export const AnswerBadge = ({ request: { refusal, code } }: { readonly request: RequestSummary }) => (
  <span class={`state tone-${refusal === null ? 'success' : 'fail'}`}>
    {refusal === null ? (
      'Accepted'
    ) : (
      <span class="truncate" title={code}>
        {code}
      </span>
    )}
  </span>
)

interface MerchantProps {
  readonly name: string
  readonly className?: string
}

/** Who is paid: a monogram, which is the first letter as a capital, and the name. */
export const Merchant = ({ name, className = '' }: MerchantProps) => (
  <p class={`flex items-center gap-3 font-semibold ${className}`}>
    <span
      class="grid size-9 place-items-center flex-none rounded-md bg-accent text-on-accent forced-colors:border"
      aria-hidden="true"
    >
      {([...name.trim()][0] ?? '·').toUpperCase()}
    </span>
    <span>{name}</span>
  </p>
)

/** Something goes on. */
export const Spinner = () => (
  <span
    class="block size-9 animate-turn rounded-full border-3 border-current border-e-transparent"
    aria-hidden="true"
  />
)

const resultTones = {
  success: 'bg-good-tint text-good',
  error: 'bg-bad-tint text-bad',
  info: 'bg-tint text-ink-soft',
  busy: 'bg-accent-tint text-accent',
} as const

interface ResultPageProps {
  readonly icon: IconName
  readonly tone: keyof typeof resultTones
  readonly heading: string
  /** What stands above the icon. */
  readonly above?: Child
}

/** One slip in the middle of the page: a result, and what follows from it. */
export const ResultPage = ({ icon, tone, heading, above, children }: PropsWithChildren<ResultPageProps>) => (
  <main class="result-page grid flex-1 grid-cols-[minmax(0,28rem)] content-start justify-center bg-tint px-4 pt-[clamp(1.5rem,8vh,5.5rem)] pb-12">
    <Slip>
      {above}
      <div
        class={`mx-auto mt-8 mb-4 grid size-16 place-items-center rounded-full text-[1.625rem] forced-colors:border ${resultTones[tone]}`}
      >
        {tone === 'busy' ? <Spinner /> : <Icon name={icon} />}
      </div>
      <h1 class={`${titleLook} text-center`}>{heading}</h1>
      {children}
    </Slip>
  </main>
)

/** A sentence about a result. */
export const ResultText = ({ children }: PropsWithChildren) => (
  <p class="result-text mx-auto mt-3 max-w-96 text-center text-sm text-pretty text-ink-soft">{children}</p>
)

/** The address if a browser may follow it, otherwise undefined: not `javascript:` and the like. */
export function safeLink(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

const lineLooks: Readonly<Record<ReceiptLine['kind'], string>> = {
  title: 'text-base font-bold',
  strong: 'font-bold',
  text: '',
  pair: '',
  total: 'font-bold',
  rule: 'my-3 border-t border-dashed border-[#8b877b]',
  space: 'h-8 border-0',
}

/** The lines of one copy of a receipt. */
export const ReceiptLines = ({ lines }: { readonly lines: readonly ReceiptLine[] }) => (
  <>
    {lines.map((line) => {
      const className = lineLooks[line.kind]
      if ('text' in line) return <p class={className}>{line.text}</p>
      if (!('label' in line)) return <hr class={className} />
      return (
        <p class={`${className} flex justify-between gap-4 text-start`}>
          <span class="flex-none">{line.label}</span>
          <span class="text-end">{line.value}</span>
        </p>
      )
    })}
  </>
)
