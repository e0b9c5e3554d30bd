import { type ToolName, toolNames } from '../contract/control/mcp.ts'
import { operations } from '../contract/operations.ts'
import { replaceCommands } from '../shared/text/commands.ts'

/** Commands, without what follows them, and the tool that does the same; the first that fits counts. */
const toolsOf: readonly (readonly [command: string, tool: ToolName | `${ToolName} ${string}`])[] = [
  ['list --reference-order-id', 'list_payments order'],
  ['query', 'get_payment'],
  ['list', 'list_payments'],
  ['logs tail', 'list_requests'],
  ['outcomes', 'list_outcomes'],
  ['webhook list', 'list_webhooks'],
  ['webhook resend', 'resend_webhook'],
  ['terminal list', 'get_status'],
  ['terminal show', 'get_terminal'],
  ['terminal present', 'act_at_terminal present'],
  ['terminal tip', 'act_at_terminal tip'],
  ['terminal pin', 'act_at_terminal pin'],
  ['terminal sign', 'act_at_terminal sign'],
  ['sandbox fault --help', 'search_docs faults'],
  ['sandbox fault --clear <id>', 'set_fault without kind'], // no tool removes one alone
  ['sandbox fault --clear', 'set_fault without kind'],
  ['sandbox fault', 'get_status'],
  ['sandbox clock --advance', 'move_clock advance'],
  ['sandbox snapshot save', 'save_snapshot'],
  ...Object.entries(operations).map(([name, { command }]) => [command, `run_operation ${name}`] as const),
]

/**
 * A text for an agent: in place of a command, the tool that does the same, where it is `allowed`. A command that would run
 * on starts the sandbox in the background.
 */
export const withTools = (text: string, allowed = toolNames): string =>
  replaceCommands(text, (command) => {
    const typed = command.slice('tillbox '.length)
    const row = toolsOf.find(([words]) => `${typed} `.startsWith(`${words} `))
    if (row === undefined || !allowed.some((name) => row[1].split(' ')[0] === name))
      return `\`${/ --detach\b/.test(command) ? command : command.replace(/ sandbox start\b/, '$& --detach')}\``
    const [words, tool] = row
    return `\`${tool}${typed.slice(words.length).replace(' --force', ' replace')}\``
  })
