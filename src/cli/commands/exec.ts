import { resolve } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { boolean, string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import { environmentWith, sandboxVariables } from '../../client/sandbox-variables.ts'
import type { RunningSandbox } from '../../server/server.ts'
import { makeEphemeralFolder } from '../../shared/files/ephemeral.ts'
import { fileProblem } from '../../shared/files/file-problem.ts'
import { BareCommand } from '../base-command.ts'
import { interruptedCode, UsageError } from '../errors/exit-codes.ts'
import { onInterruption } from '../interruption.ts'
import type { ArtifactsOptions } from '../lifecycle/artifacts.ts'
import { runChild } from '../lifecycle/child.ts'
import { logOutput } from '../lifecycle/log-file.ts'
import { closeSandbox, onTemporaryFolder, startedAddress } from '../lifecycle/own-sandbox.ts'
import { throwStartError } from '../sandbox/start-error.ts'
import { behaviourFlags } from '../sandbox/start-flags.ts'
import { startOptions, withProject } from '../sandbox/start-options.ts'

export default class Exec extends BareCommand {
  static override strict = false
  static override passesWordsOn = true
  static override usage = 'exec [FLAGS] -- COMMAND [ARGUMENT…]'
  static override summary = 'Run a command with a sandbox of its own.'
  static override description =
    'Starts a sandbox on a free port, runs the command, and stops the sandbox. The command gets TILLBOX_BASE_URL, ' +
    'TILLBOX_API_KEY, TILLBOX_APP_ID, TILLBOX_MERCHANT_ID, TILLBOX_TERMINAL_SN, TILLBOX_WEBHOOK_SECRET and ' +
    'TILLBOX_STATE, with --token TILLBOX_TOKEN, and with --https NODE_EXTRA_CA_CERTS. Signals are passed on.\n\nThe ' +
    'exit code is that of the command, or 128 plus the number of the signal that ended it; 126 when the command ' +
    'cannot be executed, 127 when it does not exist, and 2 when the sandbox cannot be started.'
  static override examples = [
    'tillbox exec -- npm test',
    'tillbox exec --artifacts ./artifacts --retries fast -- npm test',
    'tillbox exec -- tillbox sale --amount 10.00',
  ]
  static override flags = {
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

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(this.ctor as typeof Exec) // with the flags of a command that does more
    const end = this.argv.indexOf('--')
    const command = end === -1 ? [] : this.argv.slice(end + 1)
    const [misplaced] = argv.length > command.length ? (argv as string[]) : []
    const remedy = `after --: \`tillbox ${this.ctor.id} -- npm test\``
    if (misplaced !== undefined)
      throw new UsageError(`${misplaced} is not after --`, `Write the command ${remedy}`)
    if (command.length === 0) throw new UsageError('The command to run is missing', `Write it ${remedy}`)
    const state = resolve(flags.state ?? makeEphemeralFolder())
    const run = async () => {
      const options = startOptions({ ...withProject(flags), state, port: 0 })
      process.exitCode = await this.#runWithSandbox(command, options, flags)
    }
    await (flags.state === undefined ? onTemporaryFolder(state, run) : run())
  }

  /** Resolves to the exit code of the command. Errors: those of a start; FailureError for a command that is not there. */
  async #runWithSandbox(
    command: readonly string[],
    options: ReturnType<typeof startOptions>,
    flags: ExecFlags,
  ): Promise<number> {
    const { artifacts } = flags
    const interrupted = onInterruption('SIGHUP').signal
    const { startSandbox } = await import('../../server/server.ts')
    const output = logOutput(options.state)
    const running = await startSandbox({ ...options, ...output, runs: 'exec' }).catch((error) =>
      throwStartError(error, options.state),
    )
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
      const { log } = running.sandbox
      const before = log.total
      const code = await runChild(command, {
        ...environmentWith(variables, process.env),
        ...this.variables,
      })
      if (code !== 0 && artifacts !== undefined) {
        const secrets = [connection.apiKey, secret, options.token ?? '']
        const where = { address, folder: artifacts, log: output.logFile, secrets }
        await leaveArtifacts(running, where, log.total !== before)
      }
      return await this.ended(code, running, flags, log.total === before)
    } finally {
      await closeSandbox(running, options)
    }
  }

  get variables(): Readonly<Record<string, string>> {
    return {}
  }

  /** The command has ended, and its sandbox still runs; `isUnused`: no request reached it. Resolves to the exit code. */
  async ended(
    code: number,
    _running: RunningSandbox,
    { quiet }: ExecFlags,
    isUnused: boolean,
  ): Promise<number> {
    if (isUnused && !quiet) await report(unused)
    return code
  }
}

type ExecFlags = Interfaces.InferredFlags<typeof Exec.flags>

/** Tests that start a sandbox of their own, say. */
const unused =
  "No payment request reached this sandbox; tests of tillbox/vitest or tillbox/jest use it with connect: 'env'. See docs/ci.md"

/** Writes the artifacts, and prints their folder if `isUsed`. A failure is printed, and changes no exit code. */
async function leaveArtifacts(
  { sandbox }: RunningSandbox,
  where: Omit<ArtifactsOptions, 'transactionIds'>,
  isUsed: boolean,
): Promise<void> {
  const { writeArtifacts } = await import('../lifecycle/artifacts.ts')
  const ledgers = [...sandbox.engine.state.ledgers.values()]
  const transactionIds = ledgers
    .flatMap(({ transactions }) => Array.from(transactions, ({ id }) => id))
    .sort()
  const message = await writeArtifacts({ ...where, transactionIds }).then(
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
