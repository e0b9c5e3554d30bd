import type { Child } from 'hono/jsx'
import { Select, type SelectOption } from './actions.tsx'

/** A field of a form: one of its options where it has some, else a text, of several lines with `rows`. */
export interface FormField {
  readonly name: string
  readonly label: string
  /** A preset value is the first. */
  readonly options?: readonly SelectOption[]
  /** Of an amount in major units: it stands at the end of the field. */
  readonly currency?: string
  readonly rows?: number
  readonly hint?: string | undefined
  readonly optional?: boolean
  readonly autocomplete?: string
  readonly inputMode?: 'numeric' | 'decimal'
  /** In UTF-16 units, as HTML counts: twice the characters that a text may have. */
  readonly maxLength?: number
  readonly placeholder?: string
  /** Content at the right end of the field. */
  readonly end?: Child
}

interface TypedField {
  readonly value: string | undefined
  readonly error: string | undefined
}

/** A field with its label, hint and error; a refused one has the keyboard first. A script may fill in the error. */
export const drawField = (field: FormField, typed: TypedField) => {
  const { name, label, hint, optional, end, currency } = field
  return (
    <div class="field" data-field={name}>
      <label class="field-label block small medium" for={name}>
        {label}
        {optional && <span class="light soft"> optional</span>}
      </label>
      <div class="field-box relative">
        {control(field, typed)}
        {end}
        {currency !== undefined && (
          <span class="field-unit no-pointer stack middle note absolute">{currency}</span>
        )}
      </div>
      {fieldError(name, typed.error)}
      {hint !== undefined && (
        <p class="field-hint note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

function control({ name, options, rows, hint, ...field }: FormField, { value, error }: TypedField) {
  const described = hint === undefined ? `${name}-error` : `${name}-error ${name}-hint`
  const about = {
    id: name,
    name,
    autofocus: error !== undefined,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': described,
  } as const
  if (options !== undefined) return <Select {...about} options={options} chosen={value} />
  const common = { ...about, spellcheck: false, autocomplete: field.autocomplete ?? 'off' }
  if (rows !== undefined)
    return (
      <textarea {...common} rows={rows} autocapitalize="off">
        {`\n${value ?? ''}` /* HTML parsers drop a leading line break */}
      </textarea>
    )
  return (
    <input
      {...common}
      type="text"
      value={value}
      inputmode={field.currency === undefined ? field.inputMode : 'decimal'}
      maxlength={field.maxLength ?? (field.currency === undefined ? 1024 : 16)}
      placeholder={field.placeholder}
    />
  )
}

/** The error of a field; an empty element when there is none. */
export const fieldError = (name: string, error?: string) => (
  <p class="field-error bad smaller medium" id={`${name}-error`}>
    {error}
  </p>
)
