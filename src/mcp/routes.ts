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
      const request = await readRequest(call)
      const { answerMcp } = await import('./answer-mcp.ts')
      return await answerMcp(context, call, request, tools, send)
    } catch (error) {
      return answer(context, call, null, () => Promise.reject(error), 'rest')
    }
  })
}

/** The request with its whole body. Errors: SBX_TOO_LARGE. */
async function readRequest(call: Call): Promise<Request> {
  const { method, url, headers, signal } = call.req.raw
  limitLength(call)
  const { text } = await readBody(call)
  return new Request(url, { method, headers, signal, ...(method === 'POST' && { body: text }) })
}

/** The tools that the caller's token allows, and the query does not leave out. Errors: C17. */
function toolsFor(call: Call): readonly ToolName[] {
  const query = call.req.query()
  const named = query[mcpQuery.tools]?.split(',').filter(Boolean)
  const unknown = named?.find((name) => !Object.hasOwn(toolKinds, name))
  if (unknown !== undefined)
    rejectField(mcpQuery.tools, `has no tool ${unknown}: ${suggestion(unknown, toolNames)}`)
  return toolsLeft(query, call.get('grant')?.scope === 'viewer')
}
