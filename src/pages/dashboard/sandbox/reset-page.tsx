import { Submit } from '../../components/actions.tsx'
import { plural } from '../../components/format.ts'
import type { PageView } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'

/** Confirmation page of a reset: lists what it removes. */
export function resetPage({ statistics }: Pick<PagesContext, 'statistics'>): PageView {
  const { transactions, deliveries } = statistics.current
  return {
    title: 'Reset the sandbox',
    section: 'transactions',
    body: () => (
      <section class="panel question stack gap-4">
        <h1 class="page-title tight">Reset the sandbox?</h1>
        <ul class="stack gap-1 tabular">
          <li>
            This deletes {plural(transactions.length, 'transaction')}, their batches and{' '}
            {plural(deliveries.all.length, 'notification')}.
          </li>
          <li>It keeps terminals, applications, clock, faults and checkpoints.</li>
        </ul>
        <p class="page-lead">The state is saved as a checkpoint first, so that you can undo this.</p>
        <form method="post" action="/reset" class="flex wrap gap-3">
          <Submit look="large">Reset</Submit>
          <a class="action action-plain" href="/">
            Keep everything
          </a>
        </form>
      </section>
    ),
  }
}
