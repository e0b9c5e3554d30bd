import * as v from 'valibot'
import { isObject } from '../../shared/is-object.ts'
import { isTooDeep, tooDeep } from '../../shared/read-or.ts'
import { optional, queryFlag } from '../member-kinds.ts'
import { beginsOrder } from '../operation-members.ts'
import { operationNames } from '../operations.ts'
import type { Members } from '../validate.ts'
import type { Control } from './control.ts'
import { controls } from './controls/controls.ts'

/** The tools of the MCP server of a sandbox. assumption: mcp */

/** What a tool may do: look, change something, or delete something. */
export type ToolKind = 'read' | 'write' | 'destructive'

/** Tools that do more than one operation does. */
const ownTools = {
  get_status: 'read',
  list_payments: 'read',
  get_payment: 'read',
  verify_webhook: 'read',
  list_outcomes: 'read',
  search_docs: 'read',
  run_operation: 'write',
  act_at_terminal: 'write',
  set_fault: 'write',
  move_clock: 'write',
  run_scenario: 'write',
  reset: 'destructive',
} as const satisfies Record<string, ToolKind>

/** Name of a tool that does more than one operation does. */
export type OwnTool = keyof typeof ownTools

const rows: readonly Control[] = Object.values(controls)

const rowTools = rows.flatMap(({ tool, method }): [string, ToolKind][] =>
  tool ? [[tool.name, tool.destroys ? 'destructive' : method === 'GET' ? 'read' : 'write']] : [],
)

/** Tools by name, and what each may do. */
export const toolKinds: Readonly<Record<string, ToolKind>> = { ...ownTools, ...Object.fromEntries(rowTools) }

export const toolNames: readonly string[] = Object.keys(toolKinds)

/** True for a call of a tool that changes what the sandbox has; one that begins an order only adds to it. */
export const toolChangesSandbox = (name: string, { operation }: Members = {}): boolean =>
  toolNames.includes(name) &&
  toolKinds[name] !== 'read' &&
  !(name === 'run_operation' && operationNames.some((each) => each === operation && beginsOrder(each)))

/** Path of the MCP server. */
export const mcpPath = '/mcp'

/** Why what was sent is no message, as JSON-RPC says it; undefined for one. `value`: of the text, parsed. */
export function noMessage(value: unknown, text: string): { code: number; message: string } | undefined {
  if (value === undefined) return { code: -32_700, message: isTooDeep(text) ? tooDeep : 'This is no JSON' }
  if (isObject(value)) return undefined
  const isBatch = Array.isArray(value)
  const message = isBatch ? 'A batch is not read: send each message by itself' : 'A message is a JSON object'
  return { code: -32_600, message }
}

/** Its query leaves tools out: those that change something, and those that `tools` does not name. */
export const mcpQuery = {
  input: v.object({
    'read-only': queryFlag('Only tools that change nothing'),
    tools: optional(
      v.pipe(
        v.string(),
        v.transform((names) => names.split(',')),
        v.check(
          (names) => names.every((name) => toolNames.includes(name)),
          `must be one of ${toolNames.join(', ')}, or several between commas`,
        ),
      ),
    ),
  }),
}

/** The tools that a query leaves: those that it names, else all; `onlyReads`: those that change nothing. */
export const toolsLeft = (
  named: readonly string[] | null | undefined,
  onlyReads: boolean,
): readonly string[] =>
  toolNames.filter((name) => (named?.includes(name) ?? true) && (!onlyReads || toolKinds[name] === 'read'))
