import { Submit } from '../../../components/actions.tsx'
import { Labelled } from '../../../components/field.tsx'
import { type FormState, fieldErrorOf, TextField } from '../../payments/form-parts.tsx'
import { longestUrl } from '../webhook-filter-form.tsx'

interface EditFormProps {
  readonly id: string
  readonly form: FormState
  /** The original URL, without secrets. */
  readonly url: string
}

/** Body, headers, URL and signature. The Enter key presses the first button. */
export const EditForm = ({ id, form, url }: EditFormProps) => {
  const keepsSignature = form.values.signature === 'kept'
  return (
    <form
      class="action-form stack edit-form lined round-m on-paper"
      method="post"
      action={`/webhooks/${id}/edit`}
    >
      <input type="hidden" name="attempt" value={form.values.attempt} autocomplete="off" />
      <TextArea name="body" label="Body" form={form} rows={18} />
      <TextArea name="headers" label="Headers" form={form} rows={6} />
      <TextField
        name="to"
        label="URL"
        form={form}
        optional
        maxLength={longestUrl}
        placeholder="http://127.0.0.1:3000/hook"
        hint={`Leave empty to use the original URL: ${url}`}
      />
      <fieldset class="operations flex wrap gap-1">
        <legend class="field-label block small medium">Time and signature</legend>
        {(
          [
            ['new', 'Sign again', !keepsSignature],
            ['kept', 'As typed', keepsSignature],
          ] as const
        ).map(([value, text, checked]) => (
          <label class="operation">
            <input type="radio" name="signature" value={value} checked={checked} autocomplete="off" />
            {text}
          </label>
        ))}
      </fieldset>
      <div class="flex wrap gap-3">
        <Submit look="large" name="do" value="send">
          Send
        </Submit>
        <Submit look="large-plain" name="do" value="changes">
          Show changes
        </Submit>
        <Submit look="large-plain" name="do" value="indent">
          Indent body
        </Submit>
        <Submit look="large-plain" name="do" value="compact">
          Compact body
        </Submit>
        <a class="action action-plain" href={`/webhooks/${id}`}>
          Cancel
        </a>
      </div>
    </form>
  )
}

interface TextAreaProps {
  readonly name: string
  readonly label: string
  readonly form: FormState
  readonly rows: number
}

/** A text of several lines. HTML parsers drop a leading line break, so one is added. */
const TextArea = ({ name, label, form, rows }: TextAreaProps) => {
  const error = fieldErrorOf(form, name)
  return (
    <Labelled name={name} label={label} error={error}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={`${name}-error`}
      >
        {`\n${form.values[name] ?? ''}`}
      </textarea>
    </Labelled>
  )
}
