import { Submit } from '../../components/actions.tsx'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { StartPanel } from './start-panel.tsx'

/** The button that hides the first steps. */
export const HideStart = () => (
  <form method="post" action="/start/hide" class="to-end">
    <Submit>Hide</Submit>
  </form>
)

const ShowStart = () => (
  <form method="post" action="/start/show" class="to-end">
    <Submit>Show on the home page</Submit>
  </form>
)

/** The first steps on a page of their own, done or not. */
export const startPage = (
  context: Pick<PagesContext, 'directory' | 'engine' | 'statistics'>,
  { baseUrl, isStartHidden }: PageRequest,
): PageView => ({
  title: 'First steps',
  section: 'transactions',
  live: {
    path: `/start/live${isStartHidden ? '?start=off' : ''}`,
    topics: ['transactions', 'webhooks', 'terminals'],
  },
  fragments: () => ({
    start: html(<StartPanel aside={isStartHidden ? <ShowStart /> : null} {...{ context, baseUrl }} />),
  }),
  body: (slot) => (
    <>
      <h1 class="visually-hidden">First steps</h1>
      {slot('start')}
      <p class="start-next gap-4 flex wrap">
        <a href="/">Transactions</a> <a href="/docs">Operations and examples</a>{' '}
        <a href="/faults">Inject faults</a>
      </p>
    </>
  ),
})
