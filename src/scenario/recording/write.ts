import type { Draft } from './drafts.ts'

/** A scenario as YAML. `comment`: at its beginning. */
export function writeScenario(name: string, comment: string, drafts: readonly Draft[]): string {
  const steps = drafts.map((draft) => ('comment' in draft ? `  # ${line(draft.comment)}\n` : stepText(draft)))
  return `# ${line(comment)}\nname: ${scalar(name)}\nsteps:\n${steps.join('')}`
}

const line = (text: string): string => text.replace(/\s+/g, ' ')

function stepText({ action, value, as, outcome, wait, expect }: Exclude<Draft, { comment: string }>): string {
  const further = Object.entries({ as, outcome, wait, expect }).filter(([, each]) => each !== undefined)
  return [`  - ${action}:${after(value)}`, ...further.map(([name, each]) => `    ${name}:${after(each)}`)]
    .map((each) => `${each}\n`)
    .join('')
}

/** The text after a colon. */
const after = (value: unknown): string => {
  const isEmpty =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return isEmpty ? '' : ` ${flow(value)}`
}

/** A value in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, each]) => `${key(name)}: ${flow(each)}`)
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
