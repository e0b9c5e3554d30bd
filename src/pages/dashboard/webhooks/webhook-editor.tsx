import { Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { type FormState, formFields } from '../payments/form-parts.tsx'
import { Editor } from '../workbench/workbench.tsx'
import { longestUrl } from './delivery-table.tsx'
import type { OriginalAttempt } from './webhook-tries.ts'

interface WebhookEditorProps {
  readonly id: string
  readonly transactionId: string
  readonly form: FormState
  /** Name of the edited try that the fields hold; undefined for an attempt as it was made. */
  readonly holds: string | undefined
  readonly original: OriginalAttempt
}

/** Body, headers, URL and signature of a notification. */
export const WebhookEditor = ({ id, transactionId, form, holds, original }: WebhookEditorProps) => {
  const keepsSignature = form.values.signature === 'kept'
  return (
    <Editor
      action={`/webhooks/${id}/edit`}
      lead={`POST ${original.url}`}
      form={form}
      holds={holds === undefined ? undefined : { name: holds, restore: `/webhooks/${id}?attempt=0` }}
      buttons={
        <>
          <Submit name="do" value="indent">
            Indent
          </Submit>
          <Submit name="do" value="compact">
            Compact
          </Submit>
        </>
      }
      note={
        <>
          Sent once, without retries and faults: it changes no delivery. Resend makes a delivery again,{' '}
          <a class="one-line" href={`/transactions/${transactionId}/resend?notification=${id}`} data-drawer>
            also to another URL
          </a>
          .
        </>
      }
    >
      <input type="hidden" name="attempt" value={form.values.attempt} autocomplete="off" />
      {formFields(form, [{ name: 'body', label: 'Body', rows: 14 }])}
      <Fold summary="Headers, URL and signature" open={['headers', 'to'].includes(form.refusal?.field ?? '')}>
        <div class="stack gap-3 above-3">
          {formFields(form, [
            { name: 'headers', label: 'Headers', rows: 5 },
            {
              name: 'to',
              label: 'URL',
              optional: true,
              maxLength: longestUrl,
              placeholder: 'http://127.0.0.1:3000/hook',
              hint: `Leave empty to use the original URL: ${original.url}`,
            },
          ])}
          <fieldset class="operations flex wrap gap-1">
            <legend class="field-label block small medium">Time and signature</legend>
            {(
              [
                ['new', 'Sign again', !keepsSignature],
                ['kept', 'As typed', keepsSignature],
              ] as const
            ).map(([value, text, checked]) => (
              <label class="operation row gap-2 round-s pressable">
                <input type="radio" name="signature" value={value} checked={checked} autocomplete="off" />
                {text}
              </label>
            ))}
          </fieldset>
        </div>
      </Fold>
    </Editor>
  )
}
