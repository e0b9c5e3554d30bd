import type { PropsWithChildren } from 'hono/jsx'
import type { Values } from '../frame/page-view.tsx'
import { actionLooks } from './looks.ts'

/** Values that a form sends without showing them; empty ones are left out. */
export const Hidden = ({ fields }: { readonly fields: Values }) => (
  <>
    {Object.entries(fields).map(
      ([name, value]) => value !== '' && <input type="hidden" name={name} value={value} autocomplete="off" />,
    )}
  </>
)

/** A value and its text; a value alone is its own text. */
export type SelectOption = string | readonly [value: string, text: string]

interface SelectProps {
  readonly name: string
  readonly id?: string
  readonly form?: string
  readonly class?: string
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: 'true' | undefined
  readonly autofocus?: boolean
  readonly options: readonly SelectOption[]
  readonly chosen?: string | undefined
}

/** One of several values. */
export const Select = ({ options, chosen, ...attributes }: SelectProps) => (
  <select {...attributes} autocomplete="off">
    {options.map((option) => {
      const [value, text] = typeof option === 'string' ? [option, option] : option
      return (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      )
    })}
  </select>
)

type SubmitProps = PropsWithChildren<{
  readonly look?: keyof typeof actionLooks
  readonly id?: string
  readonly name?: string
  readonly 'aria-keyshortcuts'?: string
  readonly value?: string
  readonly formaction?: string
  readonly disabled?: boolean
  /** Label while the form is being sent; needs the page's script. */
  readonly 'data-busy-label'?: string
  /** Off: a browser that comes back does not keep the button disabled. */
  readonly autocomplete?: 'off'
  /** A class beside those of its look. */
  readonly className?: string
  /** What it acts on, for readers: its text alone is that of many others. */
  readonly about?: string
}>

/** A button that sends its form. */
export const Submit = ({ look = 'plain', about, className, children, ...attributes }: SubmitProps) => (
  <button class={[actionLooks[look], className].filter(Boolean).join(' ')} type="submit" {...attributes}>
    {children}
    {about !== undefined && <span class="sr-only"> {about}</span>}
  </button>
)

interface PostButtonProps extends SubmitProps {
  readonly action: string
  readonly fields?: Values
}

/** A form that is one button. */
export const PostButton = ({ action, fields = {}, ...button }: PostButtonProps) => (
  <form method="post" action={action}>
    <Hidden fields={fields} />
    <Submit {...button} />
  </form>
)
