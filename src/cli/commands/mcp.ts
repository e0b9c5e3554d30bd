import { boolean, string } from '@oclif/core/flags'
import { withTools } from '../../agents/tool-remedies.ts'
import { control } from '../../client/client.ts'
import { inSpaceOfToken, type SandboxAddress } from '../../client/discover.ts'
import { toolNames } from '../../contract/control/mcp.ts'
import { BareCommand, commonFlags } from '../base-command.ts'
import { refuseLive } from '../connection/live.ts'
import {
  connectTarget,
  isTillboxSandbox,
  NotSandbox,
  type SandboxFlags,
  sandboxFlags,
  tellSent,
} from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { exitCodes, requireKnownName } from '../errors/exit-codes.ts'
import { failureOf } from '../errors/failure.ts'
import { hint } from '../hints/same-sandbox.ts'
import { onInterruptionOrParentEnd } from '../interruption.ts'
import { settingOf } from '../settings/effective.ts'

export default class Mcp extends BareCommand {
  static override summary = 'Serve the sandbox to an AI agent, by MCP over stdio.'
  static override description =
    'An MCP client starts it; see docs/agents.md for its configuration. It passes each message on to the running sandbox, which ' +
    'serves MCP at /mcp, too. The token decides which tools there are; a live profile is refused.'
  static override examples = [
    'tillbox mcp < messages.jsonl',
    'tillbox mcp --read-only < messages.jsonl',
    'tillbox mcp --tools get_payment,search_docs --space ci-1 < messages.jsonl',
  ]
  static override flags = {
    'read-only': boolean({ description: 'Offer only the tools that change nothing.' }),
    tools: string({
      description: `Offer only these tools, separated by commas: ${toolNames.join(', ')}.`,
      helpValue: '<names>',
    }),
    ...sandboxFlags,
  }
  static override baseFlags = commonFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp)
    const names = flags.tools?.split(',').filter(Boolean)
    const tools = toolNames.map((name) => ({ name }))
    for (const name of names ?? []) requireKnownName('tool', name, tools, 'tools')
    refuseLive(flags, 'An agent')
    const query = new URLSearchParams({
      ...(flags['read-only'] && { 'read-only': 'true' }),
      ...(names && { tools: names.join() }),
    })
    let told: string | undefined
    const find = async () => {
      const address = await reachableAddress(flags)
      if (address.baseUrl !== told) tellSent(address) // an agent pays there
      told = address.baseUrl
      return address
    }
    const { relayMessages } = await import('../mcp/relay.ts')
    await relayMessages({
      input: process.stdin,
      write: (line) => process.stdout.write(`${line}\n`),
      find,
      query,
      explain: errorText,
      signal: onInterruptionOrParentEnd().signal,
    })
  }
}

function errorText(error: Error): string {
  const { message, remedy } = failureOf(error) ?? { exitCode: exitCodes.refused, message: error.message }
  return withTools(message) + (remedy === undefined ? '' : `. ${hint(withTools(remedy))}`)
}

/**
 * Where the named sandbox, or the one running here, is: also for a token that may not ask it for its
 * connection. Where no space is named, a token of a single space leads to it.
 */
const reachableAddress = (flags: SandboxFlags): Promise<SandboxAddress> => {
  const named = namedTarget(flags)
  return connectTarget(named, async (address) => {
    if (!(await isTillboxSandbox(address))) throw new NotSandbox(address.baseUrl, 'it has no health check')
    if (settingOf(named.settings, 'space') !== undefined) return address
    return control(address, 'health').then(
      () => address,
      (error) => inSpaceOfToken(address, error),
    )
  })
}
