import type { Child, PropsWithChildren } from 'hono/jsx'
import { Icon } from './icons.tsx'

interface ButtonProps {
  readonly kind: 'primary' | 'quiet'
  /** Label while the form is being sent; needs the page's script. */
  readonly busyLabel?: string
}

/** A button that sends its form. One primary button a page. */
export const Button = ({ kind, busyLabel, children }: PropsWithChildren<ButtonProps>) => (
  <button class={`button button-${kind}`} type="submit" data-busy-label={busyLabel} autocomplete="off">
    <span class="button-label">{children}</span>
  </button>
)

/** A link that looks like the primary button. It leaves the page, without a referrer. */
export const ButtonLink = ({ href, children }: PropsWithChildren<{ readonly href: string }>) => (
  <a class="button button-primary" href={href} rel="noreferrer">
    <span class="button-label">{children}</span>
    <Icon name="arrow" />
  </a>
)

interface NoticeProps {
  readonly tone: 'info' | 'error'
  readonly title: Child
}

/** A message above the content that it refers to; screen readers announce an error immediately. */
export const Notice = ({ tone, title, children }: PropsWithChildren<NoticeProps>) => (
  <div class={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
    <span class="notice-icon circle stack centered rigid">
      <Icon name={tone === 'error' ? 'alert' : 'info'} />
    </span>
    <div class="notice-text">
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
    <summary class="fold-head round-s pad-2-3 row between gap-3 soft small medium h-2-75">
      <span>{summary}</span>
      <Icon name="chevron" />
    </summary>
    {children}
  </details>
)
