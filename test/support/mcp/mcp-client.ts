import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { AnyJson } from '../any-json.ts'

/** An agent: the client of the SDK, and short ways to call tools. */
export type Agent = Awaited<ReturnType<typeof agentOver>>

/** The protocol's generations: with a handshake, and with each message describing itself. */
export const generations = ['legacy', 'auto'] as const

/** An agent over a transport; it leaves after the test. */
export async function agentOver(transport: Transport, mode: (typeof generations)[number] = 'auto') {
  const client = new Client({ name: 'test-agent', version: '1.2' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, input: object = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
    const [block] = content
    return { isError, structuredContent, text: block?.type === 'text' ? block.text : '' }
  }
  return {
    client,
    /** Names of the tools that it is offered. */
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    /** Calls a tool; answers its structured content. Fails where the tool failed. */
    ask: async (name: string, input?: object): Promise<AnyJson> => {
      const { isError, structuredContent, text } = await call(name, input)
      if (isError) throw new Error(`${name}: ${text}`)
      return structuredContent
    },
    /** Calls a tool that fails; answers what it said. */
    refusal: async (name: string, input?: object) => {
      const { isError, text } = await call(name, input)
      if (!isError) throw new Error(`${name} did not fail: ${text}`)
      return text
    },
  }
}

/** An agent at a URL of a sandbox; `query`: of /mcp. */
export const agentAt = (
  url: string,
  { query = '', token, mode }: { query?: string; token?: string; mode?: (typeof generations)[number] } = {},
): Promise<Agent> =>
  agentOver(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), {
      requestInit: { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } },
    }),
    mode,
  )
