import { Empty, PageHead } from '../../components/panel.tsx'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { fleetFragment } from './fleet.tsx'
import { fleetChanges, fleetOf } from './fleet-state.ts'

/** Every terminal as a small live screen that leads to its page. */
export const fleetPage = (
  context: Pick<PagesContext, 'clock' | 'engine'>,
  { baseUrl }: Pick<PageRequest, 'baseUrl'>,
): PageView => ({
  title: 'Terminals',
  section: 'terminals',
  live: { path: '/terminals/live', topics: ['terminals'], again: () => fleetChanges(context) },
  fragments: () => ({
    fleet:
      fleetOf(context).views.length === 0
        ? html(<NoTerminals baseUrl={baseUrl} />)
        : fleetFragment(context, baseUrl),
  }),
  body: (slot) => (
    <>
      <PageHead title="Terminals">
        <a href="/terminals?show=">Show several side by side</a>
      </PageHead>
      <div class="fleet-grid">{slot('fleet')}</div>
    </>
  ),
})

const NoTerminals = ({ baseUrl }: Pick<PageRequest, 'baseUrl'>) => (
  <Empty title="No terminals" commands={['tillbox terminal add DESK-1 --mode attended']} baseUrl={baseUrl}>
    <p>Add one; it appears here.</p>
  </Empty>
)
