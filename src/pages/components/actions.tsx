import type { PropsWithChildren } from 'hono/jsx'

/** Values that a form sends without showing them; empty ones are left out. */
export const Hidden = ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(fields).map(
      ([name, value]) => value !== '' && <input type="hidden" name={name} value={value} autocomplete="off" />,
    )}
  </>
)

interface SelectProps {
  readonly name: string
  readonly id?: string
  readonly form?: string
  readonly 'aria-describedby'?: string
  /** Values and their texts; a value alone is its own text. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
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

/** Looks of what acts, as classes; red ones take away what cannot be brought back. */
export const actionLooks = {
  plain: 'action action-plain action-small',
  main: 'action action-small',
  large: 'action',
  'large-plain': 'action action-plain',
  danger: 'action action-plain action-small action-danger',
  'danger-large': 'action action-plain action-danger',
  link: 'link-button',
} as const

interface SubmitProps {
  readonly look?: keyof typeof actionLooks
  readonly id?: string
  readonly name?: string
  readonly 'aria-keyshortcuts'?: string
  readonly value?: string
  readonly formaction?: string
  readonly disabled?: boolean
  /** A class beside those of its look. */
  readonly className?: string
  /** What it acts on, for readers: its text alone is that of many others. */
  readonly about?: string
}

/** A button that sends its form. */
export const Submit = ({
  look = 'plain',
  about,
  className,
  children,
  ...attributes
}: PropsWithChildren<SubmitProps>) => (
  <button class={[actionLooks[look], className].filter(Boolean).join(' ')} type="submit" {...attributes}>
    {children}
    {about !== undefined && <span class="visually-hidden"> {about}</span>}
  </button>
)

interface PostButtonProps extends SubmitProps {
  /** Path that is posted to. */
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
}

/** A form that is one button. */
export const PostButton = ({ action, fields = {}, ...button }: PropsWithChildren<PostButtonProps>) => (
  <form method="post" action={action}>
    <Hidden fields={fields} />
    <Submit {...button} />
  </form>
)
