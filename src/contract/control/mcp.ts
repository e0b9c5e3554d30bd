import * as v from 'valibot'
import { optional, queryFlag } from '../member-kinds.ts'

/** The tools of the MCP server of a sandbox. assumption: mcp */

/** What a tool may do: look, change something, or delete something. */
export type ToolKind = 'read' | 'write' | 'destructive'

/** Tools by name, and what each may do. */
export const toolKinds = {
  get_status: 'read',
  list_payments: 'read',
  get_payment: 'read',
  list_requests: 'read',
  get_request: 'read',
  list_webhooks: 'read',
  get_webhook: 'read',
  verify_webhook: 'read',
  get_terminal: 'read',
  list_outcomes: 'read',
  search_docs: 'read',
  run_operation: 'write',
  act_at_terminal: 'write',
  pay_checkout: 'write',
  set_outcome: 'write',
  set_fault: 'write',
  move_clock: 'write',
  resend_webhook: 'write',
  run_scenario: 'write',
  save_snapshot: 'write',
  restore_snapshot: 'destructive',
  reset: 'destructive',
} as const satisfies Record<string, ToolKind>

/** Name of a tool. */
export type ToolName = keyof typeof toolKinds

export const toolNames = Object.keys(toolKinds) as readonly ToolName[]

/** Tools that pay, or act as a cardholder does. */
const paying: readonly ToolName[] = ['run_operation', 'act_at_terminal', 'pay_checkout']

/** True for a tool that changes the sandbox itself, as `reset` does. */
export const toolChangesSandbox = (name: string): boolean =>
  toolNames.some((each) => each === name && toolKinds[each] !== 'read' && !paying.includes(each))

/** Path of the MCP server. */
export const mcpPath = '/mcp'

/** Its query, which leaves tools out: those that change something, and those that `tools` does not name, between commas. */
export const mcpQuery = {
  input: v.object({
    'read-only': queryFlag('Only tools that change nothing'),
    tools: optional(
      v.pipe(
        v.string(),
        v.transform((names) => names.split(',')),
        v.check(
          (names) => names.every((name) => toolNames.some((each) => each === name)),
          `must be one of ${toolNames.join(', ')}, or several between commas`,
        ),
      ),
    ),
  }),
}

/** The tools that a query leaves: those that it names, of any that it does not; `onlyReads`: that change nothing. */
export const toolsLeft = (
  named: readonly string[] | null | undefined,
  onlyReads: boolean,
): readonly ToolName[] =>
  toolNames.filter((name) => (named?.includes(name) ?? true) && (!onlyReads || toolKinds[name] === 'read'))
