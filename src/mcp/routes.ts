import type { Hono } from 'hono'
import { type AnswerContext, answer } from '../answering/answer.ts'
import { rejectField } from '../contract/errors.ts'
import { mcpPath, mcpQuery, type ToolName, toolKinds, toolNames, toolsLeft } from '../contract/sandbox/mcp.ts'
import type { SandboxClock } from '../engine/identifiers.ts'
import { limitLength, readBody } from '../http/body.ts'
import type { Call, Env } from '../http/call.ts'
import { guardOrigin } from '../http/origin.ts'
import type { SendToSelf } from '../http/send-to-self.ts'
import type { SecretHolders } from '../request-log/hide-secrets.ts'
import { suggestion } from '../text/suggest.ts'

/** What the MCP server needs of its sandbox: everything else goes through the sandbox's own interface. */
export interface McpContext extends SecretHolders {
  readonly clock: Pick<SandboxClock, 'wall'>
  readonly options: SecretHolders['options'] & {
    readonly state: string
    readonly spaceName: string
    readonly strict: boolean
  }
}

/**
 * Serves MCP for agents, at `/mcp` of the sandbox and of each space. The SDK is loaded by the first request. `host`: the
 * address that the sandbox is bound to. assumption: mcp
 */
export function serveMcp(
  app: Hono<Env>,
  context: McpContext & AnswerContext,
  host: string,
  send: SendToSelf,
): void {
  app.on(['GET', 'POST', 'DELETE'], mcpPath, async (call) => {
    try {
      guardOrigin(call, host)
      const tools = toolsFor(call)
      limitLength(call)
      const { text } = await readBody(call)
      const { answerMcp } = await import('./answer-mcp.ts')
      return await answerMcp(context, call, text, tools, send)
    } catch (error) {
      return answer(context, call, null, () => Promise.reject(error), 'rest')
    }
  })
}

/** The tools that the caller's token allows, and the query does not leave out. Errors: C17. */
function toolsFor(call: Call): readonly ToolName[] {
  const query = call.req.queries()
  for (const [name, values] of Object.entries(query)) refuseWrong(name, values)
  const named = query[mcpQuery.tools]?.[0]?.split(',')
  const isReading = query[mcpQuery.readOnly]?.[0] === 'true' || call.get('grant')?.scope === 'viewer'
  return toolsLeft(named, isReading)
}

/** Refuses what might be meant to leave tools out, and does not. Errors: C17. */
function refuseWrong(name: string, values: readonly string[]): void {
  const names = Object.values(mcpQuery)
  if (!names.some((each) => each === name))
    rejectField(name.slice(0, 64), `is unknown; ${suggestion(name, names)}`)
  const [value = '', ...others] = values
  if (others.length > 0) rejectField(name, 'is there twice')
  if (name === mcpQuery.readOnly && value !== 'true' && value !== 'false')
    rejectField(name, `must be true or false, as in ${mcpPath}?${name}=true`)
  if (name !== mcpQuery.tools) return
  const unknown = value.split(',').find((each) => !Object.hasOwn(toolKinds, each))
  if (unknown !== undefined)
    rejectField(name, `has no tool ${unknown.slice(0, 64) || '""'}: ${suggestion(unknown, toolNames)}`)
}
