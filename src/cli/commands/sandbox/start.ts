import { resolve } from 'node:path'
import { control } from '../../../client/client.ts'
import { hiddenKey } from '../../../contract/control/request-log-answers.ts'
import { generateToken } from '../../../contract/control/tokens.ts'
import type { RunningNode } from '../../../server/cluster/start-node.ts'
import type { RunningSandbox } from '../../../server/server.ts'
import { isEphemeralFolder, makeEphemeralFolder } from '../../../shared/files/ephemeral.ts'
import { fileProblem } from '../../../shared/files/file-problem.ts'
import { isDatabaseUrl } from '../../../shared/text/http-url.ts'
import { BareCommand, quietLinesFlags } from '../../base-command.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { noteCommandLine } from '../../hints/same-sandbox.ts'
import { isInteractive, requireYes } from '../../input/confirmation.ts'
import { untilEnded } from '../../interruption.ts'
import { closeSandbox, onTemporaryFolder, startedAddress } from '../../lifecycle/own-sandbox.ts'
import { startRecord } from '../../lifecycle/start-record.ts'
import { clean } from '../../output/clean.ts'
import { throwStartError } from '../../sandbox/start-error.ts'
import { type StartFlags, startFlags } from '../../sandbox/start-flags.ts'
import { projectFiles, startOptions, withProject } from '../../sandbox/start-options.ts'

export default class SandboxStart extends BareCommand {
  static override summary = 'Start the sandbox, here or in the background.'
  static override description =
    'The sandbox behaves like the payment service. By default only this machine can reach it. Acknowledged payments survive a kill. ' +
    'Without --detach it runs until Ctrl-C; with it, until tillbox sandbox stop.'
  static override examples = [
    'tillbox sandbox start',
    'tillbox sandbox start --detach',
    'tillbox sandbox start --port 0 --ephemeral --json',
    'tillbox sandbox start --fixtures shop.yaml --watch',
    'tillbox sandbox start --pace 800 --strict',
  ]
  static override baseFlags = quietLinesFlags
  static override flags = startFlags

  async run(): Promise<void> {
    const { raw, flags: typed } = await this.parse(SandboxStart)
    const flags: HostFlags = withProject(typed)
    const isNamed = raw.some((token) => token.type === 'flag' && token.flag === 'state')
    const isOurs = flags['detached-process'] && flags.state !== undefined && isEphemeralFolder(flags.state)
    if (flags.ephemeral && isNamed && !isOurs)
      throw new UsageError(
        ['--ephemeral', 'makes a state folder of its own, and --state names another one'],
        'Keep one of them',
      )
    const checked = startOptions(flags)
    const makesFolder = flags.ephemeral && !flags['detached-process']
    const state = makesFolder ? makeEphemeralFolder() : checked.state
    if (makesFolder) noteCommandLine(this.argv.map(clean), this.config, state)
    const options = { ...checked, state }
    const record = startRecord(typed, options) // the options of the project are read again by a restart
    const madeToken = flags.token === generateToken ? options.token : null
    if (flags.detach) {
      const { startDetached } = await import('../../lifecycle/detach.ts')
      const detached = await startDetached(record, state, process.cwd())
      const started = { ...detached, ...(madeToken !== null && { token: madeToken }) }
      const { detachedDocument, renderDetached } = await import('../../sandbox/status-panel.ts')
      return this.show(detachedDocument(started), () =>
        renderDetached({ ...started, project: projectFiles() }),
      )
    }
    const run = () => this.host(flags, options, record)
    await (flags.ephemeral ? onTemporaryFolder(resolve(state), run) : run())
  }

  async host(
    flags: HostFlags,
    options: ReturnType<typeof startOptions>,
    start: ReturnType<typeof startRecord>,
  ): Promise<void> {
    const ended = untilEnded(flags['detached-process'] ? false : options.withParent)
    const { exposedHosts } = await import('../../../server/listening.ts')
    const { startSandbox } = await import('../../../server/server.ts')
    const { state, store } = options
    const { early, stopped, ...output } = await (flags['detached-process']
      ? backgroundOutput(state)
      : windowOutput(flags))
    const { report } = output
    const runs = flags['detached-process'] ? 'background' : 'foreground'
    const whole = { ...options, ...output, start, from: process.cwd(), runs } as const
    const running = await (store === undefined
      ? startSandbox(whole)
      : (await import('../../../server/cluster/start-node.ts')).startNode({ ...whole, store })
    )
      .catch(async (error) => {
        if (error.name !== 'ImportRefused' || !error.isNotEmpty || !isInteractive()) throw error
        await requireYes(`Replace the transactions in ${state} by ${error.path}?`)
        return startSandbox({ ...whole, importFrom: { path: error.path, replace: true } })
      })
      .catch((error) => throwStartError(error, state))
    const following = new AbortController()
    try {
      const exposed = exposedHosts(options)
      for (const name of exposed) report(`other hosts can reach the sandbox at ${name}`)
      const { followFixtures: follow }: Partial<RunningSandbox> = running
      if (flags.watch && follow) {
        const { followFixtures } = await import('../../input/watch-files.ts')
        followFixtures(options.fixtures ?? '', follow, report, following.signal).catch((error: Error) =>
          report(`The fixtures are not followed: ${fileProblem(error)}`),
        )
      }
      const reports = [...early]
      if (flags['detached-process']) report(`Listening at ${running.connection.url}, process ${process.pid}`)
      await this.announce({ ...running, reports }, flags, options, exposed.length > 0)
      const lost = await Promise.race([ended, running.lost])
      if (lost instanceof Error)
        throw new UsageError(
          `${lost.message}. The sandbox has stopped. What it acknowledged is in the folder that it had; if that was deleted, it is gone`,
          'Start it again. Two sandboxes need a --state folder each, and a running one needs its folder left alone',
          'state',
        )
      if (lost === 'window') process.exitCode = 129 // as after SIGHUP
      if (lost === 'parent') report('The process that started the sandbox has ended, and it stops too')
    } finally {
      following.abort()
      await closeSandbox(running, options)
    }
    stopped(stoppedText(flags.ephemeral ? null : running.connection.state))
  }

  /**
   * Prints how to connect. `reports`: what the starting command still has to say; empty in a window, where it
   * was said. It prints a token, and keys beyond loopback, only if this start made them, and no API key that
   * the user chose.
   */
  async announce(
    running: RunningNode & { readonly reports: readonly string[] },
    flags: HostFlags,
    { token, apiKey }: ReturnType<typeof startOptions>,
    isShared: boolean,
  ): Promise<void> {
    const { connection, certificate, made, reports } = running
    const madeToken = flags.token === generateToken ? token : null
    const hidesKey = apiKey !== undefined || (isShared && made.length === 0)
    const document = {
      ...connection,
      ...(hidesKey && { apiKey: hiddenKey(connection.apiKey) }),
      ...(certificate && { certificate }),
      ...(madeToken && { token: madeToken }),
      ...(made.length > 0 && { made }),
      ...(reports.length > 0 && { reports }),
    }
    await this.show(document, async () => {
      const { renderStarted } = await import('../../sandbox/status-panel.ts')
      const address = startedAddress({ connection, certificate }, token)
      const { terminals } = await control(address, 'terminals')
      const { transactions: stored } = await control(address, 'state')
      const { faults } = await control(address, 'faults')
      const isEphemeral = flags.ephemeral === true
      const project = projectFiles()
      const facts = {
        connection,
        certificate,
        made,
        terminals,
        faults,
        stored,
        hidesKey,
        isEphemeral,
        project,
      }
      return renderStarted({ ...facts, token: madeToken })
    })
  }
}

/** The last line of a window; `state`: a folder, or a database's URL; null: a folder that is removed. */
const stoppedText = (state: string | null): string =>
  state === null
    ? 'Stopped. Its state was temporary and is removed.\n'
    : `Stopped. State is in ${clean(isDatabaseUrl(state) ? state : resolve(state))}.\n`

interface HostFlags extends StartFlags {
  readonly json: boolean
  readonly quiet: boolean
}

/** What a sandbox in a window says there: a line a request, where a person sees it. */
async function windowOutput({ quiet, json }: HostFlags) {
  const { renderReport } = await import('../../output/request-line.ts')
  const write = (text: string) => void process.stderr.write(text)
  const report = (message: string) => write(renderReport(message))
  const isSeen = process.stdout.isTTY === true && process.stderr.isTTY === true
  if (quiet || json || !isSeen) return { report, onRequest: null, early: [], stopped: () => {} }
  const { requestStream } = await import('../../sandbox/print-requests.ts')
  return { report, onRequest: requestStream(write), early: [], stopped: write }
}

/** The output of a sandbox in the background: its log. `early`: first lines, which the start shows. */
async function backgroundOutput(state: string) {
  const { logOutput } = await import('../../lifecycle/log-file.ts')
  const { report, ...output } = await logOutput(resolve(state)).catch((error) =>
    throwStartError(error, state),
  )
  const early: string[] = []
  const reportAndKeep = (message: string) => {
    if (early.length < 100) early.push(message)
    report(message)
  }
  return { ...output, early, report: reportAndKeep, stopped: () => {} }
}
