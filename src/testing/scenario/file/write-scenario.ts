/** Texts of scenario files: a step has a line for its action, and one for each member beside it. */

/** Members beside the action, in the order in which they are written. */
const beside = ['as', 'title', 'outcome', 'fault', 'wait', 'expect'] as const

type WrittenStep = { readonly action: string; readonly value: unknown } & {
  readonly [M in (typeof beside)[number]]?: unknown
}

/** A comment in a line of its own. */
export const commentText = (text: string): string => `# ${text.replace(/\s+/g, ' ')}\n`

/** A step of a list of steps. */
export const stepText = (step: WrittenStep): string =>
  [
    `  - ${step.action}:${after(step.value)}\n`,
    ...beside.map((name) => (step[name] === undefined ? '' : `    ${name}:${after(step[name])}\n`)),
  ].join('')

/** A section with a line for each of its members. */
export const sectionText = (name: string, members: object): string =>
  [`${name}:\n`, ...Object.entries(members).map(([member, value]) => `  ${member}:${after(value)}\n`)].join(
    '',
  )

/** The text after a colon. */
const after = (value: unknown): string =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0)
    ? ''
    : ` ${valueText(value)}`

/** A value in one line. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, each]) => `${key(name)}: ${valueText(each)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}

const key = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name))

/** A text without quotes where YAML reads it as the same text; JSON, which is YAML too, where not. */
const scalar = (text: string): string =>
  (/^\$?[A-Za-z][\w.-]*( [\w.-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)) ||
  /^\d+(\.\d+)? [A-Z]{3}$/.test(text) ||
  /^\d+(ms|[smhd])$/.test(text)
    ? text
    : JSON.stringify(text)
