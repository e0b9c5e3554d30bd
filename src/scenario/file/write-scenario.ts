/** Texts of scenario files: a step has a line for its action, and one for each member beside it. */

/** A step as it is written. */
interface WrittenStep {
  readonly action: string
  readonly value: unknown
  readonly as?: string | undefined
  readonly title?: string
  readonly outcome?: string
  readonly fault?: string
  readonly wait?: unknown
  readonly expect?: unknown
}

/** A comment in a line of its own. */
export const commentText = (text: string): string => `# ${text.replace(/\s+/g, ' ')}\n`

/** A step of a list of steps. */
export function stepText({ action, value, ...beside }: WrittenStep): string {
  const { as, title, outcome, fault, wait, expect } = beside
  const further = Object.entries({ as, title, outcome, fault, wait, expect }).filter(
    ([, each]) => each !== undefined,
  )
  return [`  - ${action}:${after(value)}`, ...further.map(([name, each]) => `    ${name}:${after(each)}`)]
    .map((each) => `${each}\n`)
    .join('')
}

/** A section with a line for each of its members. */
export const sectionText = (name: string, members: object): string =>
  [`${name}:`, ...Object.entries(members).map(([member, value]) => `  ${member}:${after(value)}`)]
    .map((each) => `${each}\n`)
    .join('')

/** The text after a colon. */
const after = (value: unknown): string => {
  const isEmpty =
    value === undefined ||
    value === null ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return isEmpty ? '' : ` ${valueText(value)}`
}

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
