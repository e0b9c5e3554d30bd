import { formatAmount } from '../../../contract/currencies.ts'
import { Hidden, Select, Submit } from '../../components/actions.tsx'
import { WorkbenchForm } from './forms.tsx'
import { type WorkbenchView, workbenchId } from './workbench-view.ts'

/**
 * The amount of a sale, typed on the keys, and its soft keys. `data-after` names the payment before: a form that takes the
 * place of an equal one keeps what was typed. `transactionRequestId`: of the sale that the form starts: sent twice, it is one sale. */
export const saleForm = (workbench: WorkbenchView, transactionRequestId: string) => {
  const { screen: view, currencies } = workbench
  const [currency = ''] = currencies
  const id = `amount-${workbenchId(view.terminalSn)}`
  return (
    <WorkbenchForm
      view={view}
      act="sell"
      className="sale stack gap-3 above-5 with-scripts"
      after={view.last?.transactionId ?? ''}
    >
      <Hidden fields={{ transactionRequestId, ...(currencies.length === 1 && { currency }) }} />
      <label class="visually-hidden" for={id}>
        Amount
      </label>
      <input
        id={id}
        class="sale-amount bold tabular text-center wide"
        name="amount"
        inputmode="decimal"
        placeholder={formatAmount(0, currency)}
        readonly
      />
      <div class="flex amid gap-2">
        {currencies.length > 1 ? (
          <label class="soft-key pad-0-3 row round small medium">
            <span class="visually-hidden">Currency</span>
            <Select name="currency" options={currencies} />
          </label>
        ) : (
          <span class="row small medium">{currency}</span>
        )}
        <label class="soft-key pad-0-3 row gap-2 round small medium">
          <input type="checkbox" name="tip" value="true" />
          Ask for tip
        </label>
      </div>
      <Submit look="large">Start the sale</Submit>
    </WorkbenchForm>
  )
}
