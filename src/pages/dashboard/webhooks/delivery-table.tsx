import type { TerminalEventName } from '../../../contract/sandbox/webhooks.ts'
import { attemptsInAll, type Delivery } from '../../../domain/model/outbox.ts'
import { hideInAddress } from '../../../http/hide-addresses.ts'
import { money } from '../../../presentation/money.ts'
import { notificationInWords } from '../../../presentation/words.ts'
import { capitalize } from '../../../text/words.ts'
import type { CountedDelivery } from '../../../views/statistics/delivery-register.ts'
import { type PendingContext, type Wait, whyPending } from '../../../views/why-pending.ts'
import { notificationView } from '../../../webhooks/notifications/notification.ts'
import { DeliveryBadge } from '../../components/basics.tsx'
import { formatNumber, formatTime } from '../../components/format.ts'
import { Table } from '../../components/panel.tsx'

const heads = [
  ['Choose', 'pick'],
  ['Event', ''],
  ['Amount', 'figure from-small'],
  ['State', ''],
  ['Attempts', 'figure from-medium'],
  ['Next attempt', 'from-wide'],
  ['Endpoint', 'from-wide'],
  ['Transaction', 'from-wider'],
  ['Time', 'figure from-medium'],
] as const

/** Id of the form that the boxes of the rows belong to. */
export const chosenForm = 'chosen'

/**
 * Deliveries as a table, a line each; the whole line leads to its page. `ofOne`: all are of the transaction of the page,
 * which says so, and none is to be chosen.
 */
export const deliveryTable = (context: PendingContext, rows: readonly CountedDelivery[], ofOne = false) => (
  <Table
    kind="table dense"
    caption="Deliveries, newest first"
    heads={heads.filter(([name]) => !ofOne || (name !== 'Choose' && name !== 'Transaction'))}
  >
    {rows.map((row) => rowOf(context, row, ofOne))}
  </Table>
)

function rowOf(context: PendingContext, counted: CountedDelivery, ofOne: boolean) {
  const { ledger, delivery, state } = counted
  const { url, last, fault, createdAt, number } = delivery
  const { timeZone } = ledger.settings
  const notification = notificationView(ledger, delivery)
  const { id, transactionId, event, amount, currency } = notification
  const words = eventInWords(event, notification)
  const now = context.clock.now()
  const time = formatTime(createdAt, now, timeZone)
  const waits = waitInWords(whyPending(context, counted), now, timeZone)
  const result = [last, fault].filter((each) => each !== null).join(', ')
  return (
    <tr>
      {!ofOne && (
        <td class="pick">
          <label>
            <input
              type="checkbox"
              id={`pick-${number}-${id}`}
              name="delivery"
              value={`${number} ${id}`}
              form={chosenForm}
              aria-label={`Select ${words}, transaction ${transactionId}`}
              autocomplete="off"
            />
          </label>
        </td>
      )}
      <th scope="row">
        <a class="row-link" id={`row-${number}-${id}`} href={`/webhooks/${id}`}>
          {words}
        </a>
        <span class="under block until-small">
          {event === null && `${money(amount, currency)}, `}
          {time}
        </span>
      </th>
      <td class="figure sum bold from-small">{event === null && money(amount, currency)}</td>
      <td title={[result, waits].filter(Boolean).join('; ')}>
        <DeliveryBadge state={state} held={context.courier.isHeld(ledger, delivery)} />{' '}
        <span class="result note">{result}</span>
        {waits !== '' && <span class="under block until-wide">{waits}</span>}
      </td>
      <td class="figure from-medium" title={sinceResend(delivery)}>
        {formatNumber(attemptsInAll(delivery))}
      </td>
      <td class="from-wide" title={waits}>
        {waits || '–'}
      </td>
      <td class="from-wide code" title={hideInAddress(url)}>
        {hideInAddress(url)}
        {delivery.listener !== undefined && ' (listen)'}
      </td>
      {!ofOne && (
        <td class="from-wider code">
          <a class="over-row" href={`/transactions/${transactionId}`}>
            {transactionId}
          </a>
        </td>
      )}
      <td class="figure from-medium time">{time}</td>
    </tr>
  )
}

/** A notification in words, without its amount: `Sale approved`; of a terminal, its event: `Order received`. */
export function eventInWords(
  event: TerminalEventName | null,
  notification?: Parameters<typeof notificationInWords>[0],
): string {
  const { amount: _, ...withoutAmount } = notification ?? { event, transactionStatus: 'P' }
  return capitalize(notificationInWords(withoutAmount))
}

/** How many of the attempts were made since it was last sent again; nothing where it never was. */
const sinceResend = ({ attempts, earlier }: Delivery): string | undefined =>
  earlier === undefined ? undefined : `${formatNumber(attempts)} since it was last resent`

/** When the next attempt comes and what it waits for: `17:10:05, the clock is frozen`; empty for one that is over. */
export function waitInWords(waits: Wait | null, now: number, timeZone: string): string {
  if (waits === null) return ''
  const { until, reason } = waits
  return [until === null ? '' : formatTime(until, now, timeZone), reason].filter(Boolean).join(', ')
}
