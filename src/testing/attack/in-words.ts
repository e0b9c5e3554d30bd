import { isObject } from '../../shared/is-object.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import { valueText } from '../scenario/file/write-scenario.ts'

/** What the moves of an attack do, in words. */
const words: Readonly<Record<string, (members: Readonly<Record<string, unknown>>) => string>> = {
  fault: ({ kind, operation, times }) =>
    `${kind} for the next ${times === undefined ? '' : `${times} `}${operation ?? 'webhook'}`,
  'terminal queue': ({ outcome }) => `${outcome} for the next payment`,
  'terminal offline': () => 'the terminal is offline',
  'webhook hold': () => 'webhooks are held back',
  'webhook release': () => 'held webhooks come, the newest first',
  'webhook resend': () => 'all webhooks come again',
  'webhook forge': ({ signature }) =>
    `a forged approval${signature === 'none' ? ' without a signature' : ''}`,
  'server crash': ({ on }) => (on === undefined ? 'the server is killed' : `killed on ${on}`),
  'server reconcile': () => 'the server reconciles',
  clock: ({ advance }) => `${advance} passes`,
  'checkout pay': ({ card }) => `the customer pays${card === undefined ? '' : ` with ${card}`}`,
  'server request': ({ to, body, together }) =>
    together === undefined && body !== undefined
      ? `${to} with ${valueText(body)}`
      : `${to}${togetherWords(together)}`,
}

function togetherWords(together: unknown): string {
  if (together === undefined) return ''
  if (Array.isArray(together)) return `, and at once ${together.map(({ to }) => to).join(', ')}`
  return together === 'webhooks' ? ', while held webhooks arrive' : `, ${together} times at once`
}

/** A step in words; one without words of its own as it is written. */
export function inWords({ action, value }: Pick<Step, 'action' | 'value'>): string {
  const members = isObject(value) ? value : { to: value }
  return words[action]?.(members) ?? `${action}${value === null ? '' : ` ${valueText(value)}`}`
}
