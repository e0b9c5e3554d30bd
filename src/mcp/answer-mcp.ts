import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { ServiceRefusal } from '../client/read-envelope.ts'
import { type ToolName, toolKinds } from '../contract/sandbox/mcp.ts'
import { type Call, headerOf } from '../http/call.ts'
import type { SendToSelf } from '../http/send-to-self.ts'
import { isObject } from '../is-object.ts'
import { packageVersion } from '../package-root.ts'
import { createSecretHider } from '../request-log/hide-secrets.ts'
import { describing } from './json-schema.ts'
import type { McpContext } from './routes.ts'
import { selfClient } from './self-client.ts'
import { withTools } from './tool-remedies.ts'
import { type Tool, tools } from './tools.ts'

/** What a model is told of the server, before it sees the tools. */
const instructions =
  'A local sandbox of a payment service: nothing here is real money. Amounts are in minor units (1000 is 10.00 USD). ' +
  'run_operation is accepted before it is paid: wait with get_payment. Read search_docs before guessing members.'

/** Answers a message of MCP. `allowed`: the tools that the caller may use; `send`: hands a request to the sandbox. */
export const answerMcp = (
  context: McpContext,
  call: Call,
  request: Request,
  allowed: readonly ToolName[],
  send: SendToSelf,
): Promise<Response> =>
  serveMessage(request, allowed, (name, input, about) =>
    runTool(context, tools[name], call, send, input, about),
  )

/** Answers a message of MCP where no sandbox is: with the tools, each of which fails with the text. */
export const answerWithout = (request: Request, allowed: readonly ToolName[], text: string) =>
  serveMessage(request, allowed, async () => failed(text))

function serveMessage(
  request: Request,
  allowed: readonly ToolName[],
  run: (name: ToolName, input: unknown, about: ServerContext) => Promise<CallToolResult>,
): Promise<Response> {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'tillbox', version: packageVersion() },
      { instructions, capabilities: { tools: { listChanged: false } } },
    )
    for (const name of allowed)
      server.registerTool(name, toolConfig(name), (input, about) => run(name, input, about))
    return server
  })
  return fetch(request)
}

function toolConfig(name: ToolName) {
  const { title, description, input, output } = tools[name]
  const kind = toolKinds[name]
  return {
    title,
    description,
    inputSchema: describing(input, 'input'),
    outputSchema: describing(output, 'output'),
    annotations: {
      readOnlyHint: kind === 'read',
      ...(kind !== 'read' && { destructiveHint: kind === 'destructive' }),
      openWorldHint: false,
    },
  }
}

async function runTool(
  context: McpContext,
  { run, output, isPublic }: Tool,
  call: Call,
  send: SendToSelf,
  input: unknown,
  { mcpReq }: ServerContext,
) {
  const self = selfClient(context, call, send, clientName(call, mcpReq.envelope))
  const hide = isPublic ? (text: string) => text : createSecretHider(context)
  try {
    const answer = await run({ self, signal: mcpReq.signal }, input as never)
    const structuredContent = hiddenIn(v.parse(output, answer), hide) as Record<string, unknown>
    return { content: [textBlock(JSON.stringify(structuredContent))], structuredContent }
  } catch (error) {
    return failed(hide(withTools(problemText(error as Error))))
  }
}

const textBlock = (text: string) => ({ type: 'text' as const, text })

const failed = (text: string): CallToolResult => ({ content: [textBlock(text)], isError: true })

/** What went wrong, and what to do. */
const problemText = (error: Error): string =>
  error instanceof ServiceRefusal
    ? [error.message, error.envelope.remedy].filter(Boolean).join('. ')
    : error.message

/** Members that advise what to do. */
const advice = ['why', 'remedy', 'notes']

/** A value without secrets in its texts, and with tools in place of commands in advice. */
function hiddenIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((each) => hiddenIn(each, hide))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      hiddenIn(each, advice.includes(name) ? (text) => withTools(hide(text)) : hide),
    ]),
  )
}

/** Longest name of a client in the audit log. */
const longestAgent = 64

/** The client as it names itself: in the message, or by its User-Agent. */
function clientName(call: Call, envelope: Readonly<Record<string, unknown>> = {}): string {
  const info = envelope[CLIENT_INFO_META_KEY]
  const named = isObject(info) ? [info.name, info.version].filter(Boolean).join('/') : ''
  const text = named || (headerOf(call, 'user-agent') ?? 'unknown')
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, longestAgent)
}
