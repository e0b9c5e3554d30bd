import type { Control } from '../contract/control/control.ts'
import { controls } from '../contract/control/controls/controls.ts'
import { toolNames } from '../contract/control/mcp.ts'
import { operations } from '../contract/operations.ts'
import { replaceCommands } from '../shared/text/commands.ts'

/** Commands, without what follows them, and the tool that does the same; the first that fits counts. */
const toolsOf: readonly (readonly [command: string, tool: string])[] = [
  ['list --reference-order-id', 'list_payments order'],
  ['query', 'get_payment'],
  ['list', 'list_payments'],
  ['logs tail', 'list_requests'],
  ['outcomes', 'list_outcomes'],
  ['terminal list', 'get_status'],
  ['sandbox fault --help', 'search_docs faults'],
  ['sandbox fault --clear <id>', 'set_fault without kind'], // no tool removes one alone
  ['sandbox fault --clear', 'set_fault without kind'],
  ['sandbox fault', 'get_status'],
  ['sandbox clock --advance', 'move_clock advance'],
  ...Object.values<Control>(controls).flatMap(({ command, act, tool }) => {
    const name = act ? `act_at_terminal ${act}` : tool?.name
    return command && name ? [[command, name] as const] : []
  }),
  ...Object.entries(operations).map(([name, { command }]) => [command, `run_operation ${name}`] as const),
]

/**
 * A text for an agent: in place of a command, the tool that does the same, where it is `allowed`. A command
 * that would run on starts the sandbox in the background.
 */
export const withTools = (text: string, allowed = toolNames): string =>
  replaceCommands(text, (command) => {
    const typed = command.slice('tillbox '.length)
    const row = toolsOf.find(([words]) => `${typed} `.startsWith(`${words} `))
    if (row === undefined || !allowed.includes(row[1].replace(/ .*/, '')))
      return `\`${/ --detach\b/.test(command) ? command : command.replace(/ sandbox start\b/, '$& --detach')}\``
    const [words, tool] = row
    return `\`${tool}${typed.slice(words.length).replace(' --force', ' replace')}\``
  })
