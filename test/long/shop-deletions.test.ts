import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { CoverageReport } from '../../src/contract/control/coverage-answers.ts'
import { type SituationName, seenSituations } from '../../src/contract/exam/catalogue.ts'
import { runBinary } from '../support/commands/binary.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { projectRoot } from '../support/project.ts'

type Deletion = readonly [file: string, gaps: readonly SituationName[], text: string, instead?: string]

/**
 * Error paths that somebody leaves out of the example shop: the file, the situations that are gaps then, what stands in the
 * file once, and what stands there without the path; left out: nothing.
 */
const deletions: Readonly<Record<string, Deletion>> = {
  'the signature of a notification is checked': [
    'webhooks.js',
    ['webhook-forged'],
    "  if (!isGenuine(headers, body, secret)) return { status: 401, body: { error: 'wrong signature' } }\n",
  ],
  'a repeat is acknowledged': [
    'webhooks.js',
    ['webhook-twice', 'webhook-resent', 'webhook-retried'],
    '  if (notifications.get(id) !== undefined) return taken\n',
  ],
  'a notification for another shop is acknowledged': [
    'webhooks.js',
    ['sale-approved', 'webhook-retried'],
    '  if (order === undefined) return taken // of another shop of this merchant\n',
  ],
  'a lost answer is not final': [
    'service.js',
    ['answer-lost', 'request-lost', 'connection-reset'],
    '  error instanceof ServiceRefusal &&\n  !error.outcomeUnknown',
    '  !error.outcomeUnknown',
  ],
  'HTTP 5xx is not final': [
    'service.js',
    ['error-500', 'error-503'],
    '  !error.outcomeUnknown && // HTTP 5xx\n',
  ],
  'HTTP 429 is not final': ['service.js', ['rate-limited'], ' && // HTTP 5xx\n  error.httpStatus !== 429'],
  'Retry-After is waited for': [
    'service.js',
    ['error-503', 'rate-limited'],
    '        await setTimeout((error.retryAfter ?? 0) * 1_000)\n',
  ],
  'a refusal is final': [
    'service.js',
    [
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
    'isFinal(error) || tries',
    'tries',
  ],
  'a used id is asked for': [
    'service.js',
    ['transaction-request-id-reused'],
    '        if (isRefused(error, codes.idUsed)) return find(request.transactionRequestId) // it arrived before\n',
  ],
  'another key is tried': [
    'service.js',
    ['key-unknown', 'key-expired'],
    '      if (error.httpStatus === 401 && others.length > 0) return call(operation, members, others)\n',
  ],
  'an order with a pending payment is not paid': [
    'till.js',
    ['sale-approved', 'late-approval'],
    '    if (pendingOf(order).length > 0) throw unfit(order)\n',
  ],
  'a paid order is not paid again': [
    'till.js',
    ['sale-approved'],
    '    if (!unpaid.includes(stateOf(order))) throw unfit(order)\n',
  ],
  'only what is approved is refunded': [
    'till.js',
    [
      'insufficient-funds',
      'do-not-honor',
      'expired-card',
      'lost-or-stolen',
      'suspected-fraud',
      'issuer-unavailable',
      'host-timeout',
    ],
    "    if (transaction?.status !== 'S') throw unfit(order)\n",
  ],
  'a page whose answer is lost is closed': [
    'till.js',
    ['answer-lost'],
    '      await closePage(order)\n      return openPage(order)\n',
    '      throw error\n',
  ],
  'the customer who comes back makes the shop ask': [
    'server.js',
    ['webhook-lost'],
    'till.learn, // what',
    '() => undefined, // what',
  ],
  'a job asks for results': [
    'jobs.js',
    ['request-lost', 'webhook-lost'],
    '  for (const order of orders.all()) await till.learn(order)\n',
  ],
  'a failed settlement is tried again': [
    'jobs.js',
    ['settlement-failed'],
    'isRefused(error, codes.settlementFailed) || ',
  ],
  'a close whose answer is lost is tried again': ['jobs.js', ['answer-lost'], ' || !isFinal(error)'],
  'what is left open is closed': [
    'jobs.js',
    ['settled-in-part'],
    '      closed.push(batch, ...batchList)\n',
    '      return { closed: [batch, ...batchList] }\n',
  ],
}

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
    const [file, _, text, instead = ''] = deletion
    const path = join(cwd, file)
    const [before, after, ...others] = readFileSync(path, 'utf8').split(text)
    if (after === undefined || others.length > 0) throw new Error(`${file} must have this once: ${text}`)
    writeFileSync(path, before + instead + after)
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
  const waiting = Object.entries(deletions).values()
  const lane = async () => {
    for (const [path, deletion] of waiting) drives.set(path, await drive(deletion))
  }
  await Promise.all([lane(), lane(), lane()])
  return drives
}

test('the tests of the shop meet nine situations of ten, and the report finds each path that is left out', async () => {
  const whole = await drive()
  expect(whole.gaps).toEqual([])
  expect(whole.handled / seenSituations.length).toBeGreaterThanOrEqual(0.9)

  const drives = await driveAll()
  const rows = Object.keys(deletions).map((path) => ({ path, gaps: [''], lines: '', ...drives.get(path) }))
  const fallen = rows.filter(({ lines }) => Number(lines) < Number(whole.lines))
  const table = rows.map(({ path, gaps, lines }) => `| ${path} | ${gaps.join(', ')} | ${lines} % |`)
  process.stdout.write(
    `${whole.handled} of ${seenSituations.length} situations, ${whole.lines} % of the lines; ` +
      `the lines fall in ${fallen.length} of ${rows.length}\n${table.join('\n')}\n`,
  )
  expect(rows.map(({ path, gaps }) => [path, gaps])).toEqual(
    Object.entries(deletions).map(([path, [, gaps]]) => [
      path,
      seenSituations.map(({ name }) => name).filter((name) => gaps.includes(name)),
    ]),
  )
})
