import type { Hono } from 'hono'
import { mcpPath, mcpQuery, toolsLeft } from '../contract/control/mcp.ts'
import { Refusal, rejectField } from '../contract/errors.ts'
import { validate } from '../contract/validate.ts'
import { type AnswerContext, answer } from '../sandbox/answering/answer.ts'
import { limitLength, membersOfQuery, readBody } from '../sandbox/http/body.ts'
import type { Call, Env } from '../sandbox/http/call.ts'
import { guardOrigin } from '../sandbox/http/origin.ts'
import type { SendToSelf } from '../sandbox/http/send-to-self.ts'
import type { McpContext } from './mcp-context.ts'

/**
 * Serves MCP for agents, at `/mcp` of the sandbox and of each space. The SDK is loaded by the first request.
 * `host`: the address that the sandbox is bound to. assumption: mcp
 */
export function serveMcp(
  app: Hono<Env>,
  context: McpContext & AnswerContext,
  host: string,
  send: SendToSelf,
): void {
  app.on(['GET', 'POST', 'DELETE'], mcpPath, async (call) => {
    let text: string | undefined
    try {
      guardOrigin(call, host)
      limitLength(call)
      text = (await readBody(call)).text
      const tools = toolsFor(call)
      const { answerMcp } = await import('./answer-mcp.ts')
      return await answerMcp(context, call, text, tools, send)
    } catch (error) {
      const refused = await answer(context, call, null, () => Promise.reject(error), 'rest')
      if (text === undefined || !(error instanceof Refusal)) return refused
      const { wrongQuery } = await import('./messages.ts')
      return wrongQuery(refused.status, text, `${error.field}: ${error.detail}`)
    }
  })
}

/** The tools that the caller's token allows, and the query does not leave out. */
function toolsFor(call: Call): readonly string[] {
  const {
    members,
    odd: [odd],
  } = membersOfQuery(call)
  if (odd !== undefined) rejectField(odd.field, odd.reason)
  const { 'read-only': readOnly, tools } = validate(mcpQuery, members)
  return toolsLeft(tools, readOnly === 'true' || call.get('grant')?.scope === 'viewer')
}
