import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { integer, string } from '@oclif/core/flags'
import * as v from 'valibot'
import { control } from '../../client/client.ts'
import {
  type CoverageReport,
  coverageFolderVariable,
  coveragePercent,
  coverageReport,
  ordersVariable,
} from '../../contract/control/coverage-answers.ts'
import { inSpace } from '../../contract/control/spaces.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { BareCommand } from '../base-command.ts'
import { exitCodes, UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { coverageExam, textReport } from '../exam/coverage-report.ts'
import { examFlags, requireReportFolder, writeExam } from '../exam/write-exam.ts'
import { runFlags, runWithSandbox, tellUnused } from '../lifecycle/run-with-sandbox.ts'

type Flags = Interfaces.InferredFlags<typeof Coverage.flags>

export default class Coverage extends BareCommand {
  static override strict = false
  static override passesWordsOn = true
  static override usage = 'coverage [FLAGS] -- COMMAND [ARGUMENT…]'
  static override summary = 'Run tests, and report which situations your code handled.'
  static override description =
    'Runs a command as tillbox exec does, and reads the requests, results and webhooks of its sandboxes. For each situation of ' +
    'docs/exam.md it says whether your code did the right thing, left something out, or never met it. Sandboxes that tests ' +
    'start with the library or with tillbox test count too.\n\n' +
    'The exit code is that of the command; 1 if it was 0 and the share is below --min.'
  static override examples = [
    'tillbox coverage -- npm test',
    'tillbox coverage --min 80 --reporter junit --report-file coverage.xml -- npm test',
    'tillbox coverage --reporter json --report-file now.json --compare before.json -- pytest',
  ]
  static override flags = {
    min: integer({
      description: 'Percent of all situations that your code must deal with.',
      min: 0,
      max: 100,
    }),
    ...examFlags,
    compare: string({
      description: 'JSON report of an earlier run; the report for people then says what changed.',
      helpValue: '<file>',
    }),
    orders: string({
      description:
        "YAML that says where your server lists its orders. They are requested at the origin of the webhooks' URL after each test.",
      helpValue: '<file>',
    }),
    ...runFlags,
  }

  async run(): Promise<void> {
    const typed = await this.parse(Coverage)
    const { flags } = typed
    const { compare, orders } = flags
    requireReportFolder(flags)
    const earlier = compare === undefined ? undefined : reportIn(compare) // read before the tests run
    const folder = mkdtempSync(join(tmpdir(), 'tillbox-coverage-'))
    try {
      const variables = {
        [coverageFolderVariable]: folder,
        ...(orders !== undefined && { [ordersVariable]: resolve(orders) }),
      }
      const askOrders = orders === undefined ? undefined : await asking(resolve(orders))
      await runWithSandbox(this, typed, { variables, askOrders }, async (code, address, isUnused) => {
        const others = readdirSync(folder).map((name) => reportIn(join(folder, name)))
        if (others.length === 0 && isUnused && !flags.quiet) await tellUnused()
        const { joinReports } = await import('../../sandbox/coverage/coverage.ts')
        const { spaces } = await control(address, 'spaces')
        const own = spaces.map(({ name }) =>
          control({ ...address, baseUrl: inSpace(address.baseUrl, name) }, 'coverage'),
        )
        const report = joinReports([...(await Promise.all(own)), ...others])
        await writeExam(
          {
            text: (look) => textReport(report, look, earlier),
            json: () => report,
            exam: () => coverageExam(report),
          },
          flags,
        )
        return code === 0 ? codeForShare(report, flags) : code
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function codeForShare({ handled, situations }: CoverageReport, { min = 0 }: Flags): number {
  const share = coveragePercent(handled, situations.length)
  if (share >= min) return exitCodes.done
  process.stderr.write(`✗ ${share} % of the situations were dealt with; --min ${min} asks for more\n`)
  return exitCodes.refused
}

/** Asks for the orders where a file says. */
async function asking(file: string) {
  const { ordersIn } = await import('../exam/read-drive.ts')
  const { askOrdersOf } = await import('../../testing/scenario/merchant/orders-file.ts')
  return askOrdersOf(file, await ordersIn(file))
}

function reportIn(path: string): CoverageReport {
  const text = usingFile(
    () => decodeText(readFileSync(path)),
    `Cannot read ${path}`,
    'Name a report of an earlier run, with --compare',
    'compare',
  )
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), coverageReport), text)
  if (parsed.success) return parsed.output
  throw new UsageError(`${path} is not a JSON report of tillbox coverage`, 'Write one with --reporter json')
}
