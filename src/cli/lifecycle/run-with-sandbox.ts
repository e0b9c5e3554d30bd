import { resolve } from 'node:path'
import type { Command, Interfaces } from '@oclif/core'
import { boolean, string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { environmentWith, sandboxVariables } from '../../client/sandbox-variables.ts'
import type { ServerOptions } from '../../server/server.ts'
import { makeEphemeralFolder } from '../../shared/files/ephemeral.ts'
import { fileProblem } from '../../shared/files/file-problem.ts'
import { interruptedCode, UsageError } from '../errors/exit-codes.ts'
import { onInterruption } from '../interruption.ts'
import { throwStartError } from '../sandbox/start-error.ts'
import { behaviourFlags } from '../sandbox/start-flags.ts'
import { startOptions, withProject } from '../sandbox/start-options.ts'
import type { ArtifactsOptions } from './artifacts.ts'
import { runChild } from './child.ts'
import { logOutput } from './log-file.ts'
import { closeSandbox, onTemporaryFolder, startedAddress } from './own-sandbox.ts'

/** Flags of a command that runs another one with a sandbox. */
export const runFlags = {
  state: string({
    description: 'State folder to use and keep; default: a temporary one. TILLBOX_STATE is ignored.',
  }),
  artifacts: string({
    description:
      'Folder for reports when the command fails: requests.har, deliveries.json, timelines, sandbox.log. They hold no secrets.',
    helpValue: '<folder>',
  }),
  quiet: boolean({ description: 'Say nothing when no request reached the sandbox.' }),
  ...behaviourFlags,
}

export type RunFlags = Interfaces.InferredFlags<typeof runFlags>

/**
 * The command has ended, its sandbox still runs; `isUnused`: no request reached it. The result is the exit
 * code.
 */
type Ended = (code: number, address: SandboxAddress, isUnused: boolean) => Promise<number>

/** What a command gets beside its sandbox. */
interface Beside {
  readonly variables?: Readonly<Record<string, string>>
  readonly askOrders?: ServerOptions['askOrders'] | undefined
}

/** Runs the command after `--` with a sandbox of its own; sets the exit code. */
export async function runWithSandbox(
  { argv: words, id }: Pick<Command, 'argv' | 'id'>,
  { argv, flags }: { readonly argv: readonly unknown[]; readonly flags: RunFlags },
  { variables = {}, askOrders }: Beside,
  ended: Ended,
): Promise<void> {
  const end = words.indexOf('--')
  const command = end === -1 ? [] : words.slice(end + 1)
  const misplaced = argv.length > command.length ? argv[0] : undefined
  const remedy = `after --: \`tillbox ${id} -- npm test\``
  if (misplaced !== undefined)
    throw new UsageError(`${misplaced} is not after --`, `Write the command ${remedy}`)
  if (command.length === 0) throw new UsageError('The command to run is missing', `Write it ${remedy}`)
  const state = resolve(flags.state ?? makeEphemeralFolder())
  const run = async () => {
    const options = {
      ...startOptions({ ...withProject(flags), state, port: 0 }),
      ...(askOrders && { askOrders }),
    }
    process.exitCode = await runOn(options, command, flags.artifacts, variables, ended)
  }
  await (flags.state === undefined ? onTemporaryFolder(state, run) : run())
}

/** Resolves to the exit code. */
async function runOn(
  options: ReturnType<typeof startOptions> & Pick<ServerOptions, 'askOrders'>,
  command: readonly string[],
  artifacts: string | undefined,
  more: Readonly<Record<string, string>>,
  ended: Ended,
): Promise<number> {
  const interrupted = onInterruption('SIGHUP').signal
  const { startSandbox } = await import('../../server/server.ts')
  const refuse = (error: Error) => throwStartError(error, options.state)
  const output = await logOutput(options.state).catch(refuse)
  const running = await startSandbox({ ...options, ...output, runs: 'exec' }).catch(refuse)
  try {
    if (interrupted.aborted) return interruptedCode
    const { connection, certificate } = running
    const address = startedAddress(running, options.token)
    const { secret } = await control(address, 'webhook-secret')
    const variables = sandboxVariables({
      ...connection,
      terminalSn: connection.terminals[0],
      webhookSecret: secret,
      token: options.token ?? undefined,
      certificate: certificate ?? undefined,
    })
    const before = await lastRequest(address)
    const code = await runChild(command, { ...environmentWith(variables, process.env), ...more })
    const isUnused = (await lastRequest(address)) === before
    if (code !== 0 && artifacts !== undefined) {
      const secrets = [connection.apiKey, secret, options.token ?? '']
      await leaveArtifacts({ address, folder: artifacts, log: output.logFile, secrets }, !isUnused)
    }
    return await ended(code, address, isUnused)
  } finally {
    await closeSandbox(running, options)
  }
}

/** The trace id of the last request in the log; undefined for an empty log. */
async function lastRequest(address: SandboxAddress): Promise<string | undefined> {
  const { requests } = await control(address, 'requests', { limit: 1 })
  return requests[0]?.traceId
}

/** Says that no request reached the sandbox: of tests that start one of their own, say. */
export const tellUnused = (): Promise<void> =>
  report(
    "No payment request reached this sandbox; tests of tillbox/vitest or tillbox/jest use it with connect: 'env'. See docs/ci.md",
  )

/** Writes the artifacts, and prints their folder if `isUsed`. A failure is printed, and no more. */
async function leaveArtifacts(where: ArtifactsOptions, isUsed: boolean): Promise<void> {
  const { writeArtifacts } = await import('./artifacts.ts')
  const message = await writeArtifacts(where).then(
    () => (isUsed ? `The command failed. The state of its sandbox is kept in ${where.folder}` : undefined),
    (error: Error) =>
      `What happened in the sandbox could not be written to ${where.folder}: ${fileProblem(error)}`,
  )
  if (message !== undefined) await report(message)
}

async function report(message: string): Promise<void> {
  const { renderReport } = await import('../output/request-line.ts')
  process.stderr.write(renderReport(message))
}
