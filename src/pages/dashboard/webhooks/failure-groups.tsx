import { hideInAddress } from '../../../http/hide-addresses.ts'
import type { FailureGroup } from '../../../views/statistics/delivery-register.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { formatNumber, plural } from '../../components/format.ts'
import { html } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { queryString } from '../lists/list-query.ts'

/** Most groups that are shown, the largest first. */
const shownGroups = 5

/** Failed deliveries by endpoint and result, each group with a button that sends it again; empty when none failed. */
export function failureGroups({ statistics }: Pick<PagesContext, 'statistics'>, view: string): string {
  const { failures, counts } = statistics.current.deliveries
  if (failures.length === 0) return ''
  return html(
    <section class="panel failures below-3" aria-labelledby="failures-title">
      <div class="panel-head below-3">
        <h2 id="failures-title">Failed deliveries</h2>
        <form method="post" action="/webhooks/resend">
          <Hidden fields={{ what: 'failed', view }} />
          <Submit look="main">Resend all {formatNumber(counts.failed)}</Submit>
        </form>
      </div>
      <ul>
        {failures.slice(0, shownGroups).map((group) => (
          <Group group={group} view={view} />
        ))}
      </ul>
      {failures.length > shownGroups && (
        <p class="under block">{plural(failures.length - shownGroups, 'smaller group')} not shown</p>
      )}
    </section>,
  )
}

const Group = ({ group, view }: { readonly group: FailureGroup; readonly view: string }) => {
  const { url, last, deliveries } = group
  const endpoint = hideInAddress(url)
  const status = String(last)
  return (
    <li class="failure rule-above">
      <span class="state tone-fail failure-result bold cut" title={status}>
        {status}
      </span>
      <a
        class="code cut one-line grows shrinks"
        href={`/webhooks${queryString({ state: 'failed', status: status.slice(0, 64), endpoint })}`}
      >
        {endpoint}
      </a>
      <span class="tabular">{formatNumber(deliveries.size)}</span>
      <form method="post" action="/webhooks/resend">
        <Hidden fields={{ what: 'group', endpoint, status, view }} />
        <Submit about={`${deliveries.size} that failed with ${status}`}>Resend</Submit>
      </form>
    </li>
  )
}
