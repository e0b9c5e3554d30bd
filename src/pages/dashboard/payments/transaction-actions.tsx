import { checkoutPath } from '../../../contract/sandbox/control-answers.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import type { Directory } from '../../../engine/directory.ts'
import { actingFor } from '../../../request-log/acting-for.ts'
import { pastNotifications } from '../../../webhooks/notifications/past-notifications.ts'
import { Command } from '../../components/command.tsx'
import { possibleActions } from './follow-ups.ts'

interface TransactionActionsProps {
  readonly directory: Directory
  readonly ledger: Ledger
  readonly transaction: Transaction
  /** Sandbox time in milliseconds. */
  readonly now: number
  /** Where the browser reached the sandbox. */
  readonly baseUrl: string
}

/** Links to what can be done with a transaction now, and the command that reads it. With scripts they open in a drawer. */
export const TransactionActions = ({
  directory,
  ledger,
  transaction,
  now,
  baseUrl,
}: TransactionActionsProps) => {
  const { id, online, status } = transaction
  const actions = possibleActions(ledger, transaction, now)
  const isOpenPage = online?.sessionId != null && (status === 'INITIAL' || status === 'PROCESSING')
  return (
    <nav class="transaction-actions flex wrap gap-2 below-4" aria-label="Actions">
      {isOpenPage && (
        <a class="action" href={checkoutPath(online?.sessionId ?? '')}>
          Open checkout page
        </a>
      )}
      {actions.map(({ path, label }, index) => (
        <a
          class={index === 0 && !isOpenPage ? 'action' : 'action action-plain'}
          id={`do-${path}`}
          href={`/transactions/${id}/${path}`}
          data-drawer
        >
          {label}
        </a>
      ))}
      {pastNotifications(ledger, transaction).length > 0 && (
        <a class="action action-plain" id="do-resend" href={`/transactions/${id}/resend`} data-drawer>
          Resend notification
        </a>
      )}
      <Command text={actingFor(directory, ledger.settings, `tillbox query ${id}`)} baseUrl={baseUrl} />
    </nav>
  )
}
