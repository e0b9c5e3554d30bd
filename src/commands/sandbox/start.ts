import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/errors/exit-codes.ts'
import { UsageError } from '../../cli/errors/usage-error.ts'
import { onInterruption } from '../../cli/interruption.ts'
import { jsonText } from '../../cli/output/json-text.ts'
import { throwStartError } from '../../cli/sandbox/start-error.ts'
import { startFlags, startOptions } from '../../cli/sandbox/start-flags.ts'
import { control } from '../../client/client.ts'
import { generateToken } from '../../contract/sandbox/token.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'

export default class SandboxStart extends BaseCommand {
  static override printsLines = true
  static override summary = 'Start the sandbox in the foreground.'
  static override description =
    'The sandbox behaves like the payment service, on this machine only. Every acknowledged payment is on disk before you ' +
    `see the answer: kill the sandbox, start it again, and nothing is lost.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> sandbox start',
    '<%= config.bin %> sandbox start --port 0 --state ./tmp-state --json',
    '<%= config.bin %> sandbox start --pace 800 --strict',
  ]
  static override flags = startFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStart)
    const stopped = once(onInterruption().signal, 'abort')
    const options = startOptions(flags)
    const { isLoopback, startSandbox } = await import('../../sandbox/server.ts')
    const { renderReport } = await import('../../cli/output/request-line.ts')
    const running = await startSandbox({
      ...options,
      report: (message) => process.stderr.write(renderReport(message)),
      onRequest: process.stderr.isTTY ? await requestPrinter() : null,
    }).catch((error) => throwStartError(error, flags.state))
    try {
      const exposed = `other hosts can reach the sandbox at ${flags.host}; choose a key with --api-key`
      if (!isLoopback(flags.host)) process.stderr.write(renderReport(exposed))
      await this.announce(running, flags.json, options.token, flags.token === generateToken)
      const lost = await Promise.race([stopped, running.lost])
      if (lost instanceof Error) refuseLost(lost)
    } finally {
      await running.close()
    }
  }

  /** Says where it is; a token only when it was made here, for nobody knows it yet. */
  async announce(
    { connection, certificate }: RunningSandbox,
    asJson: boolean,
    token: string | null,
    isNew: boolean,
  ): Promise<void> {
    const made = isNew ? token : null
    if (asJson) {
      const more = { ...(certificate && { certificate }), ...(made && { token: made }) }
      process.stdout.write(jsonText({ ...connection, ...more }))
      return
    }
    const { renderStarted } = await import('../../cli/sandbox/panel.ts')
    const ca = certificate ? readFileSync(certificate, 'utf8') : undefined
    const address = { baseUrl: connection.url, ca, token: token ?? undefined }
    const { terminals } = await control(address, 'terminals')
    const { transactions } = await control(address, 'state')
    const { faults } = await control(address, 'faults')
    const started = { connection, terminals, certificate, token: made, stored: transactions, faults }
    process.stdout.write(renderStarted(started))
  }
}

/** Errors: UsageError with why the sandbox stopped by itself. */
function refuseLost({ message }: Error): never {
  throw new UsageError(
    `${message}. The sandbox has stopped. What it acknowledged is in the folder that it had; if that was deleted, it is gone`,
    'Start it again. Two sandboxes need a --state folder each, and a running one needs its folder left alone',
    'state',
  )
}

/** A line a request. Successful look-ups come by the dozen while something is waited for, and are left out. */
async function requestPrinter() {
  const { renderRequest } = await import('../../cli/output/request-line.ts')
  return (entry: Parameters<typeof renderRequest>[0]): void => {
    if (entry.method !== 'GET' || entry.code !== '0') process.stderr.write(renderRequest(entry))
  }
}
