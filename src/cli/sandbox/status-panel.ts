import type { MadeAccess } from '../../contract/control/application-answers.ts'
import type {
  Connection,
  Health,
  StateSummary,
  TerminalView,
} from '../../contract/control/control-answers.ts'
import type { FaultView } from '../../contract/control/fault-list.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { parseStatuses, statusWords } from '../../contract/statuses.ts'
import { command } from '../../shared/text/commands.ts'
import { wrapText } from '../../shared/text/display-width.ts'
import { durationInWords, offsetInWords } from '../../shared/text/duration-words.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import type { SandboxStatus } from '../answer-shapes.ts'
import { commandText, hintText } from '../hints/hint-text.ts'
import { hint } from '../hints/same-sandbox.ts'
import type { DetachedSandbox } from '../lifecycle/detach.ts'
import { cleaned } from '../output/clean.ts'
import { timeText } from '../output/render-time.ts'
import { columns, type NamedValue, pairs } from '../output/table.ts'
import { paintScreen, theme } from '../output/theme.ts'
import { faultsLine } from './render-faults.ts'
import { shownUrl, typedRecord } from './shown-start.ts'

interface StartFacts {
  readonly connection: Connection
  readonly terminals: readonly TerminalView[]
  readonly certificate: string | null
  readonly token: string | null
  readonly made: readonly MadeAccess[]
  readonly stored: number
  readonly faults: readonly FaultView[]
  /** True for a key that the user chose, so perhaps used elsewhere, and for one shown by an earlier start. */
  readonly hidesKey: boolean
  readonly isEphemeral: boolean
  readonly project: string | undefined
}

/** The panel of a started sandbox. Address and key are last: small windows scroll the rest away. */
export function renderStarted(started: StartFacts): string {
  const { connection, terminals, certificate, token, made, stored, faults, hidesKey, isEphemeral, project } =
    cleaned(started)
  const facts = pairs([
    ['public URL', connection.publicUrl && theme.link(connection.publicUrl)],
    ['dashboard', theme.link(`${connection.url}/`)],
    ['terminals', theme.link(`${connection.url}/terminals`)],
    ['API key', hidesKey ? hiddenKey(connection.apiKey) : connection.apiKey],
    ['token', token && newToken(token)],
    ['application', `${connection.appId}   ${theme.faint('merchant')} ${connection.merchantId}`],
    ['state', `${connection.state}   ${theme.faint(stored === 0 ? 'empty' : `${stored} transactions`)}`],
    ['options of', project],
    ['preset', connection.preset],
    ...targetRows(connection),
    ['faults', faultsLine(faults)],
    ['certificate', certificate && toTrust(certificate)],
  ])
  const merchantTerminals = terminals.filter(({ merchantId }) => merchantId === connection.merchantId)
  const rows = merchantTerminals.map(({ terminalSn, summary }) => [terminalSn, theme.faint(summary)])
  const attended = merchantTerminals.find(({ mode }) => mode === 'attended')
  const end = `Ctrl-C stops it${isEphemeral ? ', and removes its state' : '; every payment is kept'}.`
  const parts = [
    columns(['terminal', 'what it does'], rows),
    hints(attended),
    headLine('is ready', connection.url),
    facts,
  ]
  return `${parts.join('\n\n')}\n\n${[...renderMadeAccess(made), theme.faint(end)].join('\n')}\n`
}

function hints(attended: TerminalView | undefined): string {
  const commands = [
    ['tillbox sale --amount 10.00', 'a payment, approved'],
    ['tillbox sale --amount 98.23', 'the same, declined: do not honor'],
  ]
  if (attended !== undefined)
    commands.push([
      `tillbox sale --amount 25.00 --terminal ${shellQuote(attended.terminalSn)} --no-wait`,
      `one that waits for you: ${command('terminal open', attended.terminalSn)}`,
    ])
  const lines = commands.flatMap(([command = '', what = '']) => [
    commandText(command),
    ...wrapText(hint(what), theme.width - 4).map((line) => `    ${theme.faint(line)}`),
  ])
  return `Try, in another window:\n${lines.join('\n')}`
}

const headLine = (how: string, url: string): string =>
  `${theme.good('●')} ${theme.strong('tillbox sandbox')} ${how} at ${theme.link(url)}`

const newToken = (token: string): string =>
  `${token}   ${theme.faint('new; add it to page URLs as ?token=…')}`

const toTrust = (certificate: string): string =>
  `${certificate}   ${theme.faint('trust it with NODE_EXTRA_CA_CERTS')}`

interface PanelState extends Omit<SandboxStatus, keyof Connection> {
  readonly connection: Connection
  readonly terminals: readonly TerminalView[]
}

/** What `sandbox status` shows. */
export function renderStatus(answers: PanelState): string {
  const { connection, health, stored, clock, faults, terminals, start } = cleaned(answers)
  const facts = pairs([
    ['public URL', connection.publicUrl && theme.link(connection.publicUrl)],
    ['dashboard', theme.link(`${connection.url}/`)],
    ['process', processLine(connection, health)],
    ['log', connection.logFile],
    ['API key', connection.apiKey],
    ['application', connection.appId],
    ['merchant', connection.merchantId],
    ['state', connection.state],
    ['preset', connection.preset],
    ['started with', start && typedRecord(start)],
    ['transactions', transactionsLine(stored)],
    ['open batches', String(stored.openBatches)],
    ['webhooks', webhooksLine(stored)],
    ...targetRows(connection),
    ['faults', faultsLine(faults)],
    [
      'clock',
      `${timeText(clock.now)}  ${theme.faint(clock.frozen ? 'frozen' : offsetInWords(clock.offsetMs, clock.speed))}`,
    ],
  ])
  const rows = terminals.map(({ terminalSn, mode, screen, queue, summary }) => {
    const what = [queueText(queue), theme.faint(summary)].filter(Boolean).join(' ')
    return [terminalSn, mode, paintScreen(screen), what]
  })
  const table = columns(['terminal', 'mode', 'screen', 'what it does'], rows)
  return `${[headLine('runs', connection.url), facts, table].join('\n\n')}\n`
}

function processLine({ pid, runs }: Connection, { uptimeMs, version }: Health): string {
  const facts = [runs && waysToRun[runs], `up ${durationInWords(uptimeMs)}`, `version ${version}`]
  return `${pid}   ${theme.faint(facts.filter(Boolean).join(', '))}`
}

const waysToRun: Readonly<Record<Connection['runs'], string>> = {
  foreground: 'in the foreground',
  background: 'in the background',
  exec: 'for tillbox exec',
  program: 'within another program',
}

const targetRows = ({ notifyUrl, forwardTo }: Connection): NamedValue[] => [
  ['notify URL', notifyUrl && theme.link(shownUrl(notifyUrl))],
  ['forwards to', forwardTo && theme.link(shownUrl(forwardTo))],
]

function transactionsLine({ transactions, byStatus }: StateSummary): string {
  const counts = statusWords.flatMap((word) => {
    const of = parseStatuses(word) ?? []
    const count = of.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0)
    return count === 0 ? [] : [`${count} ${word}`]
  })
  return `${transactions}   ${theme.faint(counts.join(', '))}`.trimEnd()
}

/** Pending and failed deliveries; delivered ones are only counted. */
function webhooksLine({ webhooks: { pending, failed, delivered } }: StateSummary): string {
  const counts = [
    pending > 0 ? theme.open(`${pending} pending`) : '',
    failed > 0 ? theme.bad(`${failed} failed`) : '',
    `${delivered} delivered`,
  ]
  const where = pending + failed > 0 ? `   ${theme.faint(hint('see `tillbox webhook list`'))}` : ''
  return `${counts.filter(Boolean).join(', ')}${where}`
}

const queueText = (queue: TerminalView['queue']): string =>
  queue.length === 0
    ? ''
    : theme.open(`next: ${queue.map(({ outcome, times }) => `${outcome} ×${times}`).join(', ')};`)

/** Lines with the keys and webhook secrets that a start made; none for an empty list. */
export function renderMadeAccess(made: readonly MadeAccess[]): string[] {
  if (made.length === 0) return []
  const head = hint('New keys, shown once; `tillbox sandbox env` prints them later:')
  const facts = made.flatMap(({ appId, apiKey, webhookSecret }) => [
    [`API key of ${appId}`, apiKey] as const,
    [`webhook secret of ${appId}`, webhookSecret] as const,
  ])
  return [head, pairs(facts), '']
}

/** What `sandbox start --detach --json` and `sandbox restart --json` print. */
export const detachedDocument = (started: DetachedSandbox) => ({
  ...started,
  dashboard: `${started.url}/`,
})

/** A sandbox that runs in the background now. */
export function renderDetached(
  rawDetached: DetachedSandbox & { readonly project?: string | undefined },
  how = 'is ready',
): string {
  const { url, pid, state, logFile, token, made = [], certificate, project } = cleaned(rawDetached)
  const facts = pairs([
    ['dashboard', theme.link(`${url}/`)],
    ['process', `${pid}   ${theme.faint('in the background')}`],
    ['state', state],
    ['options of', project],
    ['log', logFile],
    ['token', token && newToken(token)],
    ['certificate', certificate && toTrust(certificate)],
  ])
  const next = ['Stop it: `tillbox sandbox stop`', 'Look at it: `tillbox sandbox status`']
    .map((text) => theme.faint(hintText(text)))
    .join('\n')
  return `${headLine(how, url)}\n\n${facts}\n\n${[...renderMadeAccess(made), next].join('\n')}\n`
}
