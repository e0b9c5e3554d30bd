import type { Child, PropsWithChildren } from 'hono/jsx'
import { documentOf, Layout } from '../layout.tsx'
import { slotOf } from './slots.tsx'
import type { Parts, Place, View } from './view.ts'

const places: readonly (readonly [Place, string, string])[] = [
  ['transactions', '/', 'Transactions'],
  ['batches', '/batches', 'Batches'],
  ['webhooks', '/webhooks', 'Webhooks'],
  ['terminals', '/terminals', 'Terminals'],
  ['requests', '/requests', 'Requests'],
]

interface ShellProps {
  readonly title: string
  readonly place: Place
  /** Where its changes are streamed from; left out: it does not change. */
  readonly live?: string | undefined
  /** Clock and faults at a glance. */
  readonly glance?: Child
}

/** The frame of every page for developers: the navigation, the sandbox at a glance, and the page. */
const Shell = ({ title, place, live, glance, children }: PropsWithChildren<ShellProps>) => (
  <Layout title={`${title} – tillbox sandbox`} script="live.js">
    <div class="masthead">
      <nav class="places" aria-label="Sandbox">
        <a class="wordmark" href="/">
          <svg class="wordmark-figure" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M4 3h16v18l-2.7-2-2.6 2-2.7-2-2.7 2-2.6-2L4 21z" />
            <path class="wordmark-lines" d="M8 8h8M8 12h5" />
          </svg>
          tillbox
        </a>
        <ul>
          {places.map(([name, href, label]) => (
            <li>
              <a href={href} aria-current={name === place ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section class="at-a-glance" aria-label="Sandbox at a glance">
        {glance}
      </section>
    </div>
    <main class="desk" id="main">
      {children}
    </main>
    {live !== undefined && (
      <div id="live" hx-ext="sse" sse-connect={live} sse-swap="parts" hx-swap="none" hidden />
    )}
  </Layout>
)

/** A page of the dashboard as a whole document. */
export function renderView(view: View, parts: Parts): string {
  const slot = slotOf(parts)
  return documentOf(
    <Shell title={view.title} place={view.place} live={view.live?.path} glance={slot('glance')}>
      {view.body(slot)}
    </Shell>,
  )
}
