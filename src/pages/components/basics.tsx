import type { Child, PropsWithChildren } from 'hono/jsx'
import type { RequestSummary } from '../../contract/control/request-log-answers.ts'
import type { ReceiptLine } from '../../contract/control/screens.ts'
import type { DeliveryState } from '../../contract/control/webhooks.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { statusDisplay, statusInWords } from '../../sandbox/views/status-in-words.ts'
import { capitalize } from '../../shared/text/words.ts'
import { Icon } from './icons.tsx'

interface NoticeProps {
  readonly tone: 'info' | 'error'
  readonly title: Child
}

/** A message above the content that it refers to; screen readers announce an error immediately. */
export const Notice = ({ tone, title, children }: PropsWithChildren<NoticeProps>) => (
  <div
    class={`notice notice-${tone} flex gap-3 lined round-m on-sunken small`}
    role={tone === 'error' ? 'alert' : 'status'}
  >
    <span class="notice-icon circle stack centered rigid">
      <Icon name={tone === 'error' ? 'alert' : 'info'} />
    </span>
    <div class="notice-text shrinks">
      <p class="notice-title body-size bold">{title}</p>
      {children}
    </div>
  </div>
)

/** A paper slip, on which an order and a result are shown. */
export const Slip = ({ children }: PropsWithChildren) => (
  <div class="slip">
    <div class="slip-paper on-paper">{children}</div>
  </div>
)

interface FoldProps {
  readonly summary: string
  readonly open?: boolean
  readonly className?: string
}

/** A part of a page that folds away. */
export const Fold = ({ summary, open, className = 'fold', children }: PropsWithChildren<FoldProps>) => (
  <details class={className} open={open}>
    <summary class="fold-head round-s pad-2-3 row between gap-3 soft small medium control">
      <span>{summary}</span>
      <Icon name="chevron" />
    </summary>
    {children}
  </details>
)

/** Says that the sandbox does not answer; a page's script shows it while that is so. It lies over the page. Inside: what that means. */
export const ConnectionNotice = ({ children }: PropsWithChildren) => (
  <div class="dead centre" data-dead hidden>
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

/** The state of a delivery as a dot and a word. */
export const DeliveryBadge = ({ state, held }: { readonly state: DeliveryState; readonly held: boolean }) => (
  <span class={`state tone-${stateTones[state]}`}>{held ? 'Held' : capitalize(state)}</span>
)

/** How a request was answered, as a dot and a word; of a refused one its code, which a narrow list cuts. */
export const AnswerBadge = ({ request: { refusal, code } }: { readonly request: RequestSummary }) => (
  <span class={`state tone-${refusal === null ? 'success' : 'fail'}`}>
    {refusal === null ? (
      'Accepted'
    ) : (
      <span class="cut" title={code}>
        {code}
      </span>
    )}
  </span>
)

/** Who is paid: a monogram, which is the first letter as a capital, and the name. */
export const Merchant = ({ name }: { readonly name: string }) => (
  <p class="merchant row gap-3 bold">
    <span class="monogram stack centered rigid round-s" aria-hidden="true">
      {([...name.trim()][0] ?? '·').toUpperCase()}
    </span>
    <span>{name}</span>
  </p>
)

/** The address if a browser may follow it, otherwise undefined: not `javascript:` and the like. */
export function safeLink(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

/** The lines of one copy of a receipt. */
export const ReceiptLines = ({ lines }: { readonly lines: readonly ReceiptLine[] }) => (
  <>
    {lines.map((line) => {
      const className = `receipt-${line.kind}`
      if ('text' in line) return <p class={className}>{line.text}</p>
      if (!('label' in line)) return <hr class={className} />
      return (
        <p class={`${className} flex between gap-4 text-start`}>
          <span>{line.label}</span>
          <span>{line.value}</span>
        </p>
      )
    })}
  </>
)
