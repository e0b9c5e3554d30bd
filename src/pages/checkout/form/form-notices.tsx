import { Notice } from '../../components/basics.tsx'
import type { CheckoutField, CheckoutForm, CheckoutView } from './checkout-view.ts'

const order: readonly CheckoutField[] = ['choice', 'number', 'expiry', 'securityCode', 'holder']

interface FormNoticesProps {
  readonly view: CheckoutView
  readonly form: CheckoutForm | undefined
}

/** What comes before everything else: what is wrong with the form, else what became of the last try. */
export const FormNotices = ({ view, form }: FormNoticesProps) => {
  const wrong = order.flatMap((field) => {
    const error = form?.errors[field]
    return error === undefined ? [] : [{ field, error }]
  })
  if (wrong.length === 0 && view.declined === null) return null
  return (
    <div class="alerts">
      {wrong.length > 0 && <Wrong wrong={wrong} />}
      {wrong.length === 0 && view.declined !== null && <Declined view={view} declined={view.declined} />}
    </div>
  )
}

interface WrongProps {
  readonly wrong: readonly { readonly field: CheckoutField; readonly error: string }[]
}

const Wrong = ({ wrong }: WrongProps) => (
  <Notice
    tone="error"
    title={wrong.length === 1 ? 'One thing to correct' : `${wrong.length} things to correct`}
  >
    <ul>
      {wrong.map(({ field, error }) => (
        <li>{field === 'choice' ? error : <a href={`#${field}`}>{error}</a>}</li>
      ))}
    </ul>
  </Notice>
)

interface DeclinedProps {
  readonly view: CheckoutView
  readonly declined: NonNullable<CheckoutView['declined']>
}

const Declined = ({ view: { triesLeft }, declined: { code, message } }: DeclinedProps) => (
  <Notice tone="error" title={`Declined: ${message}`}>
    <p>
      The bank answered {code}. Nothing was charged.{' '}
      {triesLeft === 1 ? 'One try is left.' : `${triesLeft} tries are left.`} Choose another card.
    </p>
  </Notice>
)
