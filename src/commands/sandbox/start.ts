import { boolean, integer, string } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { UsageError } from '../../cli/usage-error.ts'
import { defaultPort, defaultState } from '../../client/discover.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'

export default class SandboxStart extends BaseCommand {
  static override summary = 'Start the sandbox and keep it in the foreground.'
  static override description =
    'It behaves like the payment service, on this machine alone. Everything that happens is kept in the state folder: ' +
    `stop it in any way, start it again, and it is all there.\n\n${exitHelp}`
  static override examples = [
    '<%= config.bin %> sandbox start',
    '<%= config.bin %> sandbox start --port 0 --state ./tmp-state --json',
    '<%= config.bin %> sandbox start --pace 800 --strict',
  ]
  static override flags = {
    port: integer({
      description: 'Port to listen on; 0 picks a free one.',
      default: defaultPort,
      min: 0,
      max: 65535,
      env: 'TILLBOX_PORT',
    }),
    host: string({ description: 'Address to listen on.', default: '127.0.0.1' }),
    state: string({ description: 'State folder.', default: defaultState, env: 'TILLBOX_STATE' }),
    pace: string({
      description: 'How long an automatic terminal shows a screen: instant, or milliseconds.',
      default: 'instant',
    }),
    'api-key': string({
      description: 'API key to accept in place of the fixture’s.',
      env: 'TILLBOX_API_KEY',
    }),
    strict: boolean({
      description:
        'Refuse unknown members, unregistered merchants and terminals, and a GET without Content-Type.',
    }),
    duplicates: string({
      description: 'What a duplicate gets: an error, or the first answer again.',
      options: ['reject', 'replay'],
      default: 'reject',
    }),
    'http-status': string({
      description: 'HTTP status of business refusals: 200 as the SDKs need it, or a fitting one.',
      options: ['sdk', 'rest'],
      default: 'sdk',
    }),
    dialect: string({
      description: 'Shape of the record a query answers: by User-Agent, or always one.',
      options: ['auto', 'spec', 'sdk'],
      default: 'auto',
    }),
    https: boolean({ description: 'Serve TLS 1.2 or higher, with a certificate that is made on first use.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStart)
    const report = await reporter()
    const running = await this.start(flags, report)
    await this.announce(running, flags.json)
    await stopSignal()
    await running.close()
  }

  async start(flags: StartFlags, { report, onRequest }: Reporter): Promise<RunningSandbox> {
    const { startSandbox, LockedState, PortTaken } = await import('../../sandbox/server.ts')
    try {
      return await startSandbox({
        state: flags.state,
        port: flags.port,
        host: flags.host,
        https: flags.https,
        pace: paceOf(flags.pace),
        strict: flags.strict,
        duplicates: flags.duplicates as 'reject',
        httpStatus: flags['http-status'] as 'sdk',
        dialect: flags.dialect as 'auto',
        ...(flags['api-key'] && { apiKey: flags['api-key'] }),
        report,
        onRequest,
      })
    } catch (error) {
      if (error instanceof LockedState)
        throw new UsageError(
          error.message,
          `Use that one, stop it (kill ${error.holder.pid}), or take another --state`,
          'state',
        )
      if (error instanceof PortTaken)
        throw new UsageError(
          await whoHas(error.port, error.message),
          'Stop it, or take another --port; --port 0 picks a free one',
          'port',
        )
      throw error
    }
  }

  async announce({ connection, certificate, sandbox }: RunningSandbox, asJson: boolean): Promise<void> {
    if (asJson) {
      process.stdout.write(`${JSON.stringify({ ...connection, ...(certificate && { certificate }) })}\n`)
      return
    }
    const { renderStarted } = await import('../../cli/render/panel.ts')
    const { control } = await import('../../client/client.ts')
    const { readFileSync } = await import('node:fs')
    const place = { baseUrl: connection.url, ca: certificate ? readFileSync(certificate, 'utf8') : undefined }
    const { terminals } = await control<{ terminals: [] }>(place, 'terminals')
    const stored = [...sandbox.engine.book.ledgers.values()].reduce(
      (sum, { transactions }) => sum + transactions.size,
      0,
    )
    process.stdout.write(renderStarted({ connection, terminals, certificate, stored }))
  }
}

type StartFlags = Awaited<ReturnType<SandboxStart['parse']>>['flags'] & {
  state: string
  port: number
  host: string
  https: boolean
  pace: string
  strict: boolean
  duplicates: string
  'http-status': string
  dialect: string
  'api-key'?: string | undefined
}

type Reporter = Awaited<ReturnType<typeof reporter>>

/** What the window of the sandbox shows: reports always, a line a request on a terminal. */
async function reporter() {
  const { renderReport, renderRequest } = await import('../../cli/render/request-line.ts')
  return {
    report: (message: string) => void process.stderr.write(renderReport(message)),
    // Successful look-ups come by the dozen, while something is waited for.
    onRequest: process.stderr.isTTY
      ? (entry: Parameters<typeof renderRequest>[0]) => {
          if (entry.method !== 'GET' || entry.code !== '0') process.stderr.write(renderRequest(entry))
        }
      : null,
  }
}

function paceOf(text: string): number {
  if (text === 'instant') return 0
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new UsageError(
    `--pace ${text} is neither instant nor milliseconds`,
    'Give instant, or a number such as 800',
    'pace',
  )
}

/** Says which process has the port, when that can be told. */
async function whoHas(port: number, message: string): Promise<string> {
  const { holderOfPort } = await import('../../cli/port-holder.ts')
  const holder = await holderOfPort(port)
  return holder === undefined ? message : `${message} by ${holder}`
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
