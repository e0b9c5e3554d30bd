import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { CoverageReport } from '../../src/contract/sandbox/coverage-answers.ts'
import { type SituationName, situationNames } from '../../src/coverage/situations.ts'
import { runBinary } from '../support/commands/binary.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { projectRoot } from '../support/project.ts'

/** An error path that somebody leaves out of the example shop, and the situations that are gaps then. */
interface Deletion {
  readonly path: string
  readonly file: string
  /** Stands in the file once. */
  readonly text: string
  /** What stands there without the path; left out: nothing. */
  readonly instead?: string
  readonly gaps: readonly SituationName[]
}

const deletions: readonly Deletion[] = [
  {
    path: 'the signature of a notification is checked',
    file: 'webhooks.js',
    text: "  if (!isGenuine(headers, body, secret)) return { status: 401, body: { error: 'wrong signature' } }\n",
    gaps: ['webhook-forged'],
  },
  {
    path: 'its age is checked',
    file: 'webhooks.js',
    text: "  if (!isRecent(headers)) return { status: 401, body: { error: 'older than five minutes' } }\n",
    gaps: ['webhook-stale'],
  },
  {
    path: 'a repeat is acknowledged',
    file: 'webhooks.js',
    text: '  if (notifications.get(id) !== undefined) return taken\n',
    gaps: ['webhook-twice', 'webhook-resent', 'webhook-retried'],
  },
  {
    path: 'a notification for another shop is acknowledged',
    file: 'webhooks.js',
    text: '  if (order === undefined) return taken // of another shop of this merchant\n',
    gaps: ['sale-approved', 'webhook-retried'],
  },
  {
    path: 'a lost answer is not final',
    file: 'service.js',
    text: '  error instanceof ServiceRefusal &&\n  !error.outcomeUnknown',
    instead: '  !error.outcomeUnknown',
    gaps: ['answer-lost', 'request-lost', 'connection-reset'],
  },
  {
    path: 'HTTP 5xx is not final',
    file: 'service.js',
    text: '  !error.outcomeUnknown && // HTTP 5xx\n',
    gaps: ['error-500', 'error-503'],
  },
  {
    path: 'HTTP 429 is not final',
    file: 'service.js',
    text: ' && // HTTP 5xx\n  error.httpStatus !== 429',
    gaps: ['rate-limited'],
  },
  {
    path: 'Retry-After is waited for',
    file: 'service.js',
    text: '        await setTimeout((error.retryAfter ?? 0) * 1_000)\n',
    gaps: ['error-503', 'rate-limited'],
  },
  {
    path: 'a refusal is final',
    file: 'service.js',
    text: 'isFinal(error) || tries',
    instead: 'tries',
    gaps: [
      'terminal-busy',
      'refund-not-allowed',
      'refund-too-much',
      'refund-no-balance',
      'refunded-already',
      'refund-too-late',
      'void-too-late',
      'void-after-close',
      'capture-too-much',
      'auth-expired',
      'wrong-parameter',
    ],
  },
  {
    path: 'a used id is asked for',
    file: 'service.js',
    text: '        if (isRefused(error, codes.idUsed)) return find(request.transactionRequestId) // it arrived before\n',
    gaps: ['transaction-request-id-reused'],
  },
  {
    path: 'another key is tried',
    file: 'service.js',
    text: '      if (error.httpStatus === 401 && others.length > 0) return call(operation, members, others)\n',
    gaps: ['key-unknown', 'key-expired'],
  },
  {
    path: 'an order with a pending payment is not paid',
    file: 'till.js',
    text: '    if (pendingOf(order).length > 0) throw unfit(order)\n',
    gaps: ['sale-approved', 'late-approval'],
  },
  {
    path: 'a paid order is not paid again',
    file: 'till.js',
    text: '    if (!unpaid.includes(stateOf(order))) throw unfit(order)\n',
    gaps: ['sale-approved'],
  },
  {
    path: 'only what is approved is refunded',
    file: 'till.js',
    text: "    if (transaction?.status !== 'S') throw unfit(order)\n",
    gaps: [
      'insufficient-funds',
      'do-not-honor',
      'expired-card',
      'lost-or-stolen',
      'suspected-fraud',
      'issuer-unavailable',
      'host-timeout',
    ],
  },
  {
    path: 'a page whose answer is lost is closed',
    file: 'till.js',
    text: '      await closePage(order)\n      return openPage(order)\n',
    instead: '      throw error\n',
    gaps: ['answer-lost'],
  },
  {
    path: 'the customer who comes back makes the shop ask',
    file: 'server.js',
    text: 'till.learn, // what',
    instead: '() => undefined, // what',
    gaps: ['webhook-lost'],
  },
  {
    path: 'a job asks for results',
    file: 'jobs.js',
    text: '  for (const order of orders.all()) await till.learn(order)\n',
    gaps: ['request-lost', 'webhook-lost'],
  },
  {
    path: 'a failed settlement is tried again',
    file: 'jobs.js',
    text: 'isRefused(error, codes.settlementFailed) || ',
    gaps: ['settlement-failed'],
  },
  {
    path: 'a close whose answer is lost is tried again',
    file: 'jobs.js',
    text: ' || !isFinal(error)',
    gaps: ['answer-lost'],
  },
  {
    path: 'what is left open is closed',
    file: 'jobs.js',
    text: '      closed.push(batch, ...batchList)\n',
    instead: '      return { closed: [batch, ...batchList] }\n',
    gaps: ['settled-in-part'],
  },
]

/** What the tests of a shop come to. */
interface Drive {
  readonly handled: number
  /** Situations that were met and not dealt with. */
  readonly gaps: readonly string[]
  /** The share of the lines of the shop that ran, in percent with two decimals. */
  readonly lines: string
}

/** Runs the tests of a copy of the shop, whatever they find. */
async function drive(deletion?: Deletion): Promise<Drive> {
  const cwd = scratchFolder()
  cpSync(join(projectRoot, 'examples/shop'), cwd, { recursive: true })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(projectRoot, join(cwd, 'node_modules/tillbox'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  if (deletion !== undefined) {
    const path = join(cwd, deletion.file)
    const [before, after, ...others] = readFileSync(path, 'utf8').split(deletion.text)
    if (after === undefined || others.length > 0)
      throw new Error(`${deletion.file} must have this once: ${deletion.text}`)
    writeFileSync(path, before + (deletion.instead ?? '') + after)
  }
  const tests = readdirSync(cwd).filter((name) => name.endsWith('.test.js'))
  const test = ['node', '--test', '--experimental-test-coverage', '--test-reporter=lcov']
  const line = ['coverage', '--reporter', 'json', '--report-file', 'report.json', '--', ...test]
  await runBinary([...line, '--test-reporter-destination=lines.info', ...tests], { cwd })
  const { handled, situations }: CoverageReport = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))
  const gaps = situations.filter(({ state }) => state === 'gap').map(({ name }) => name)
  return { handled, gaps, lines: linesIn(readFileSync(join(cwd, 'lines.info'), 'utf8')).toFixed(2) }
}

const files = ['jobs.js', 'orders.js', 'server.js', 'service.js', 'till.js', 'webhooks.js']

/** The share of the lines of the shop that ran, by an lcov report. Percent. */
function linesIn(lcov: string): number {
  const records = lcov
    .split('end_of_record')
    .filter((record) => files.includes(basename(/^SF:(.*)$/m.exec(record)?.[1] ?? '')))
  expect(records).toHaveLength(files.length)
  const sum = (member: 'LF' | 'LH') =>
    records.reduce((all, record) => all + Number(new RegExp(`^${member}:(\\d+)$`, 'm').exec(record)?.[1]), 0)
  return (100 * sum('LH')) / sum('LF')
}

/** The tests of each shop, three at a time: they mostly wait. By the path that is left out. */
async function driveAll(): Promise<ReadonlyMap<string, Drive>> {
  const drives = new Map<string, Drive>()
  const waiting = deletions.values()
  const lane = async () => {
    for (const deletion of waiting) drives.set(deletion.path, await drive(deletion))
  }
  await Promise.all([lane(), lane(), lane()])
  return drives
}

test('the tests of the shop meet nine situations of ten, and the report finds each path that is left out', async () => {
  const whole = await drive()
  expect(whole.gaps).toEqual([])
  expect(whole.handled / situationNames.length).toBeGreaterThanOrEqual(0.9)

  const drives = await driveAll()
  const rows = deletions.map(({ path }) => ({ path, gaps: [''], lines: '', ...drives.get(path) }))
  const fallen = rows.filter(({ lines }) => Number(lines) < Number(whole.lines))
  const table = rows.map(({ path, gaps, lines }) => `| ${path} | ${gaps.join(', ')} | ${lines} % |`)
  process.stdout.write(
    `${whole.handled} of ${situationNames.length} situations, ${whole.lines} % of the lines; ` +
      `the lines fall in ${fallen.length} of ${rows.length}\n${table.join('\n')}\n`,
  )
  expect(rows.map(({ path, gaps }) => [path, gaps])).toEqual(
    deletions.map(({ path, gaps }) => [path, situationNames.filter((name) => gaps.includes(name))]),
  )
})
