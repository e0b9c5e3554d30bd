import type { Child, PropsWithChildren } from 'hono/jsx'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly optional?: boolean | undefined
  readonly error?: string | undefined
  readonly value?: string | undefined
  readonly autocomplete: string
  readonly inputMode?: 'numeric' | 'decimal'
  /** In UTF-16 units, as HTML counts: twice the characters that a text may have. */
  readonly maxLength: number
  readonly placeholder?: string
  /** Content at the right end of the field. */
  readonly end?: Child
}

/** A text field with label, hint and error, which has the keyboard first. A script may fill in the error. */
export const Field = ({ name, label, hint, optional, error, value, end, ...input }: FieldProps) => (
  <Labelled {...{ name, label, hint, optional, error }}>
    <input
      id={name}
      name={name}
      type="text"
      value={value}
      autocomplete={input.autocomplete}
      inputmode={input.inputMode}
      maxlength={input.maxLength}
      placeholder={input.placeholder}
      spellcheck={false}
      autofocus={error !== undefined}
      aria-invalid={error === undefined ? undefined : 'true'}
      aria-describedby={hint === undefined ? `${name}-error` : `${name}-error ${name}-hint`}
    />
    {end}
  </Labelled>
)

type LabelledProps = Pick<FieldProps, 'name' | 'label' | 'hint' | 'optional' | 'error'>

/** What is filled in, with its label, hint and error. */
export const Labelled = ({
  name,
  label,
  hint,
  optional,
  error,
  children,
}: PropsWithChildren<LabelledProps>) => (
  <div class="field" data-field={name}>
    <label class="field-label block small medium" for={name}>
      {label}
      {optional && <span class="light soft"> optional</span>}
    </label>
    <div class="field-box relative">{children}</div>
    {fieldError(name, error)}
    {hint !== undefined && (
      <p class="field-hint note" id={`${name}-hint`}>
        {hint}
      </p>
    )}
  </div>
)

/** The error of a field; an empty element when there is none. */
export const fieldError = (name: string, error?: string) => (
  <p class="field-error bad smaller medium" id={`${name}-error`}>
    {error}
  </p>
)
