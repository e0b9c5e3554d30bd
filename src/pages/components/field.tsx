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

/** A field with its label, hint and error; a refused one has the focus. Scripts may fill in the error. */
export const drawField = (field: FormField, typed: TypedField) => {
  const { name, label, hint, optional, end, currency } = field
  return (
    <div class="field" data-field={name}>
      <label class="block mb-1.5 text-sm font-medium" for={name}>
        {label}
        {optional && <span class="font-normal text-ink-soft"> optional</span>}
      </label>
      <div class="field-box relative">
        {control(field, typed)}
        {end}
        {currency !== undefined && (
          <span class="absolute inset-y-0 end-3 grid items-center text-note text-ink-soft pointer-events-none">
            {currency}
          </span>
        )}
      </div>
      {fieldError(name, typed.error)}
      {hint !== undefined && (
        <p class="field-hint mt-1.5 text-note text-ink-soft" id={`${name}-hint`}>
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
  if (options !== undefined)
    return <Select {...about} class="ps-3 tabular-nums" options={options} chosen={value} />
  const common = { ...about, spellcheck: false, autocomplete: field.autocomplete ?? 'off' }
  if (rows !== undefined)
    return (
      <textarea
        {...common}
        class="block resize-y wrap-anywhere px-3 py-2 font-mono text-xs/[1.6] field-sizing-content"
        rows={rows}
        autocapitalize="off"
      >
        {`\n${value ?? ''}` /* HTML parsers drop a leading line break */}
      </textarea>
    )
  return (
    <input
      {...common}
      class={`ps-3 tabular-nums ${field.currency === undefined ? '' : 'pe-12'}`}
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
  <p class="field-error empty:hidden mt-1.5 text-bad text-note font-medium" id={`${name}-error`}>
    {error}
  </p>
)
