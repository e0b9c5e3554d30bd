import { Notice } from '../../components/basics.tsx'
import type { CardFormProps } from './card-form.tsx'
import { checkoutFields } from './checkout-form.ts'

/** Notice above the form: its errors, otherwise the result of the last try. */
export const FormNotices = ({ view: { declined, triesLeft }, form }: Omit<CardFormProps, 'offered'>) => {
  const wrong = checkoutFields.filter((field) => form?.errors[field] !== undefined)
  if (wrong.length === 0 && declined === null) return null
  return (
    <div class="alerts on-tint">
      {wrong.length > 0 ? (
        <Notice
          tone="error"
          title={wrong.length === 1 ? 'One thing to correct' : `${wrong.length} things to correct`}
        >
          <ul>
            {wrong.map((field) => {
              const error = form?.errors[field]
              return <li>{field === 'choice' ? error : <a href={`#${field}`}>{error}</a>}</li>
            })}
          </ul>
        </Notice>
      ) : (
        <Notice tone="error" title={`Declined: ${declined?.message}`}>
          <p>
            The bank answered {declined?.code}. Nothing was charged.{' '}
            {triesLeft === 1 ? 'One try is left.' : `${triesLeft} tries are left.`} Choose another card.
          </p>
        </Notice>
      )}
    </div>
  )
}
