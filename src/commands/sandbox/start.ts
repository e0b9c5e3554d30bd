import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { boolean, integer, option, string } from '@oclif/core/flags'
import type { StateSummary, TerminalList } from '../../api/control-answers.ts'
import { generateToken, tokenPattern } from '../../api/sandbox-token.ts'
import { requireKey } from '../../cli/api-key.ts'
import { BaseCommand } from '../../cli/base-command.ts'
import { exitHelp } from '../../cli/exit-codes.ts'
import { urlFrom } from '../../cli/place.ts'
import { whyItCannotStart } from '../../cli/system-error.ts'
import { UsageError } from '../../cli/usage-error.ts'
import { control } from '../../client/client.ts'
import { defaultPort, defaultState } from '../../client/discover.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'
import { retriesFrom } from '../../webhook/retries.ts'

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
    host: string({
      description: 'Address to listen on; beyond this machine with --token alone.',
      default: '127.0.0.1',
    }),
    token: string({
      description: `Token that control interface and pages want; ${generateToken} makes one and shows it.`,
      env: 'TILLBOX_TOKEN',
      helpValue: '<secret>',
    }),
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
    duplicates: option({
      description: 'What a duplicate gets: an error, or the first answer again.',
      options: ['reject', 'replay'] as const,
      default: 'reject',
    })(),
    'http-status': option({
      description: 'HTTP status of business refusals: 200 as the SDKs need it, or a fitting one.',
      options: ['sdk', 'rest'] as const,
      default: 'sdk',
    })(),
    dialect: option({
      description: 'Shape of the record a query answers: by User-Agent, or always one.',
      options: ['auto', 'spec', 'sdk'] as const,
      default: 'auto',
    })(),
    'notify-url': string({
      description: 'Where results are sent when a request does not say.',
      env: 'TILLBOX_NOTIFY_URL',
    }),
    'forward-to': string({
      description:
        'Send every notification on to your URL in order, as the command listen does; it waits while nobody answers.',
    }),
    retries: string({
      description: 'When a webhook is tried again: none, fast, or durations such as 50ms,1s,5m.',
      default: 'default',
      defaultHelp: async () => '5s,30s,2m,10m,1h,6h',
    }),
    signature: option({
      description: 'How webhooks are signed: X-Signature, the Standard Webhooks headers, or not.',
      options: ['hmac', 'standard', 'none'] as const,
      default: 'hmac',
    })(),
    'signature-encoding': option({
      description: 'How the HMAC of X-Signature is written.',
      options: ['hex', 'base64'] as const,
      default: 'hex',
    })(),
    'allow-webhook-host': string({
      description: 'Host beyond this machine that webhooks may go to; may be repeated.',
      multiple: true,
    }),
    https: boolean({ description: 'Serve TLS 1.2 or higher, with a certificate that is made on first use.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxStart)
    const stopped = stopSignal()
    const pace = paceOf(flags.pace)
    if (flags.host === '')
      throw new UsageError(
        '--host is empty',
        'Give an address or a name of this machine, such as 127.0.0.1',
        'host',
      )
    if (flags['api-key'] !== undefined) requireKey(flags['api-key'])
    const token = tokenOf(flags.token)
    const { isLoopback, startSandbox } = await import('../../sandbox/server.ts')
    const { renderReport } = await import('../../cli/render/request-line.ts')
    const running = await startSandbox({
      state: flags.state,
      port: flags.port,
      host: flags.host,
      https: flags.https,
      pace,
      strict: flags.strict,
      duplicates: flags.duplicates,
      httpStatus: flags['http-status'],
      dialect: flags.dialect,
      notifyUrl: flags['notify-url'] === undefined ? null : urlFrom(flags['notify-url'], 'notify-url'),
      forwardTo: flags['forward-to'] === undefined ? null : urlFrom(flags['forward-to'], 'forward-to'),
      retries: retriesOf(flags.retries),
      signature: flags.signature,
      signatureEncoding: flags['signature-encoding'],
      webhookHosts: (flags['allow-webhook-host'] ?? []).map((host) => host.toLowerCase()),
      token,
      ...(flags['api-key'] && { apiKey: flags['api-key'] }),
      report: (message) => process.stderr.write(renderReport(message)),
      onRequest: process.stderr.isTTY ? await requestPrinter() : null,
    }).catch(explain)
    try {
      if (!isLoopback(flags.host))
        process.stderr.write(
          renderReport(`others on the network can reach it at ${flags.host}; choose a key with --api-key`),
        )
      await this.announce(running, flags.json, token, flags.token === generateToken)
      await stopped
    } finally {
      await running.close()
    }
  }

  /** Says where it is; a token only when it was made here, for nobody knows it yet. */
  async announce(
    { connection, certificate, sandbox }: RunningSandbox,
    asJson: boolean,
    token: string | null,
    isNew: boolean,
  ): Promise<void> {
    const made = isNew ? token : null
    const { forwardTo } = sandbox.options
    if (asJson) {
      const more = { ...(certificate && { certificate }), ...(made && { token: made }) }
      process.stdout.write(`${JSON.stringify({ ...connection, ...more })}\n`)
      return
    }
    const { renderStarted } = await import('../../cli/render/panel.ts')
    const ca = certificate ? readFileSync(certificate, 'utf8') : undefined
    const place = { baseUrl: connection.url, ca, token: token ?? undefined }
    const { terminals } = await control<TerminalList>(place, 'terminals')
    const { transactions } = await control<StateSummary>(place, 'state')
    process.stdout.write(
      renderStarted({ connection, forwardTo, terminals, certificate, token: made, stored: transactions }),
    )
  }
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })

/** A line a request. Successful look-ups come by the dozen while something is waited for, and are left out. */
async function requestPrinter() {
  const { renderRequest } = await import('../../cli/render/request-line.ts')
  return (entry: Parameters<typeof renderRequest>[0]): void => {
    if (entry.method !== 'GET' || entry.code !== '0') process.stderr.write(renderRequest(entry))
  }
}

/** The token as given, or a new one. Errors: UsageError, which does not show it. */
function tokenOf(given: string | undefined): string | null {
  if (given === undefined) return null
  if (given === generateToken) return randomBytes(24).toString('base64url')
  if (tokenPattern.test(given)) return given
  throw new UsageError(
    'The token is too short, or has characters that no URL carries as they are',
    `Give 16 to 128 letters, digits and - . _ ~, or --token ${generateToken}`,
    'token',
  )
}

/** Errors: UsageError. */
function retriesOf(text: string): readonly number[] {
  const retries = retriesFrom(text)
  if (retries !== undefined) return retries
  throw new UsageError(
    `--retries ${text} are no durations`,
    'Give none, fast, or durations such as 50ms,1s,5m',
    'retries',
  )
}

/** Milliseconds a screen. Errors: UsageError. */
function paceOf(text: string): number {
  if (text === 'instant') return 0
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const message = `--pace ${text} is neither instant nor milliseconds`
  throw new UsageError(message, 'Give instant, or a number such as 800', 'pace')
}

/** Why the sandbox cannot start, and what to do. Errors: always throws. */
async function explain(error: Error): Promise<never> {
  const { DamagedLine, LockedState, OtherFormat, PortTaken, TokenNeeded, UnreadableSettings } = await import(
    '../../sandbox/server.ts'
  )
  if (error instanceof TokenNeeded)
    throw new UsageError(
      error.message,
      `Add --token ${generateToken}, which makes one and shows it, or --token <secret> of at least 16 characters`,
      'token',
    )
  if (error instanceof LockedState)
    throw new UsageError(
      error.message,
      `Use that one, stop it (kill ${error.holder.pid}), or take another --state`,
      'state',
    )
  if (error instanceof PortTaken) {
    const { holderOfPort } = await import('../../cli/port-holder.ts')
    const holder = await holderOfPort(error.port)
    const message = holder === undefined ? error.message : `${error.message} by ${holder}`
    throw new UsageError(message, 'Stop it, or take another --port; --port 0 picks a free one', 'port')
  }
  if (error instanceof DamagedLine || error instanceof UnreadableSettings)
    throw new UsageError(
      error.message,
      'Nothing was changed. Restore the file, or start with another --state',
      'state',
    )
  if (error instanceof OtherFormat)
    throw new UsageError(error.message, 'Use the version that wrote it, or another --state', 'state')
  if ('syscall' in error) throw new UsageError(...whyItCannotStart(error as NodeJS.ErrnoException))
  throw error
}
