import { basename, dirname } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { plainTheme } from '../../../src/cli/output/theme.ts'
import { Progress } from '../../../src/cli/scenario/reporter.ts'
import { reporters } from '../../../src/cli/scenario/reporters.ts'
import type { Story } from '../../../src/contract/control/control-answers.ts'
import { createSandbox } from '../../../src/library/index.ts'
import { displayWidth } from '../../../src/shared/text/display-width.ts'
import type { ScenarioResult } from '../../../src/testing/scenario/run.ts'
import { controlCharacter } from '../../support/commands/terminal-text.ts'

/** The story of a payment that was declined. */
async function declined(): Promise<Story> {
  const sandbox = await createSandbox()
  const { transactionId } = await sandbox.client.sale({ amount: 9734, priceCurrency: 'USD' })
  const story = await sandbox.payments.waitFor(transactionId, 'FAIL')
  await sandbox.close()
  return story
}

async function results(text = 'Shop <1> & "2" #3'): Promise<ScenarioResult[]> {
  const [file, name, position] = ['a.yaml', `${text} again`, { file: 'a.yaml', line: 4, column: 9 }]
  const actual = `declined ${text} ${'long '.repeat(40)}`
  const failure = {
    position,
    step: 'sale as sale',
    message: `It failed: ${text}`,
    differences: [{ position, path: 'expect.status', expected: 'approved', actual }],
    story: await declined(),
  }
  return [
    { file, name: text, outcome: 'passed', steps: 3, durationMs: 12 },
    { file, name, outcome: 'failed', steps: 1, durationMs: 1_234, failure },
    { file: 'b.yaml', name: 'Later', outcome: 'skipped', reason: 'needs a sandbox', steps: 0, durationMs: 0 },
  ]
}

async function report(name: keyof typeof reporters, given?: string): Promise<string> {
  const reporter = reporters[name]({ theme: plainTheme, width: 80 })
  const all = await results(given)
  const written = all.map((each) => reporter.result?.(each))
  return [...written, reporter.end?.(all, 1_500)].join('')
}

test('github: each failure is an annotation at its line in the repository, escaped, and no text is a command of the workflow', async () => {
  vi.stubEnv('GITHUB_WORKSPACE', dirname(process.cwd()))
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines = (await report('github', 'A: 100%, "b"')).split('\n')
  const folder = basename(process.cwd())
  expect(lines.filter((line) => line.startsWith('::'))).toEqual([
    expect.stringMatching(
      new RegExp(
        `^::error file=${folder}/a\\.yaml,line=4,col=9,title=A%3A 100%25%2C "b" again::sale as sale%0AIt failed: A: 100%25, "b"%0Aexpect\\.status%0A`,
      ),
    ),
  ])
  const commandLines = (await report('github', `${'x'.repeat(60)} ::stop-commands::x`)).split('\n')
  expect(commandLines.filter((line) => /^\s*::(?!error file)/.test(line))).toEqual([])
})

test('github: the summary has what failed and was skipped, and stays within what GitHub shows', async () => {
  const { summary } = reporters.github({ theme: plainTheme, width: 80 })
  const all = await results('a | b')
  const text = summary?.(all, 1_500) ?? ''
  expect(text).toContain('1 failed, 1 passed, 1 skipped in 1.5 s')
  expect(text).toContain('#### a \\| b again\n\n    a.yaml:4:9: sale as sale\n    It failed: a | b\n')
  expect(text).toContain('#### Later\n\n    skipped: needs a sandbox\n')
  expect(text).toMatch(/timeline of \d{16}/)
  const many = Array.from({ length: 2_000 }, () => all).flat()
  expect(Buffer.byteLength(summary?.(many, 1_500) ?? '')).toBeLessThanOrEqual(1024 * 1024)
})

const streamOf = (isTTY: boolean) => {
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
  return { stream, written }
}

test('progress on a terminal shows what runs, and is erased before a report is written; elsewhere it is not shown', () => {
  const { stream, written } = streamOf(true)
  const progress = new Progress(2, stream)
  progress.begun('First\u0007')
  expect(written.join('')).toContain('… 1 of 2  First␇')
  progress.ended()
  expect(written.at(-1)).toBe('\r\u001b[2K')
  progress.begun('Second')
  expect(written.join('')).toContain('… 2 of 2  Second')
  progress.clear()
  progress.clear()
  expect(written.filter((text) => text.startsWith('\r'))).toHaveLength(2)
  const { stream: pipe, written: piped } = streamOf(false)
  const silent = new Progress(1, pipe)
  silent.begun('First')
  silent.ended()
  expect(piped).toEqual([])
})

test('spec has a line for each scenario, failures with place, difference and timeline, and fits 80 columns', async () => {
  const text = await report('spec')
  expect(text).toMatch(
    /^a\.yaml\n {2}✓ Shop <1> & "2" #3 {2}12 ms\n {2}✗ Shop .* again {2}1\.2 s\n\nb\.yaml\n {2}– Later {2}skipped: needs a sandbox\n/,
  )
  expect(text).toContain('✗ 1. Shop <1> & "2" #3 again\n  a.yaml:4:9  sale as sale\n')
  expect(text).toMatch(/\n {2}expect\.status\n {4}expected {2}approved\n {4}actual {4}declined Shop/)
  expect(text).toContain('051 Insufficient funds')
  expect(text).toMatch(/\n1 failed, 1 passed, 1 skipped \(1: needs a sandbox\) {2}1\.5 s\n$/)
  const wide = (await report('spec', 'A name of many words '.repeat(8).trim())).split('\n')
  expect(wide.filter((line) => displayWidth(line) > 80)).toEqual([])
})

test('junit has suites, cases, failures and skipped ones, with counts and seconds, and only characters that XML allows', async () => {
  const text = await report('junit')
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="tillbox" tests="3" failures="1" errors="0" skipped="1" time="1\.500">\n/,
  )
  for (const element of [
    '<testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="0" time="1.246">',
    '<testcase name="Shop &lt;1&gt; &amp; &quot;2&quot; #3" classname="a.yaml" file="a.yaml" time="0.012"/>',
    '<skipped message="needs a sandbox"/>',
  ])
    expect(text).toContain(element)
  expect(text).toMatch(
    /<failure message="It failed: Shop &lt;1&gt; [^"]*" type="ScenarioFailure">a\.yaml:4:9: sale as sale\n/,
  )
  expect(text).toMatch(/timeline of \d+ \(UTC\)\n {2}\d\d:\d\d:\d\d {2}client → service: Sale of /)
  const all = 'bell \u0007 escape \u001b[31m half \ud800 end \uffff ]]> & < > " \' tab\t'
  const odd = await report('junit', all)
  expect(odd).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
  expect(odd.replace(/&(amp|lt|gt|quot|#9|#10|#13);/g, '')).not.toContain('&')
  const elements = /<\/?(testsuites?|testcase|failure|skipped)\b[^<>]*>|<\?xml[^<>]*\?>/g
  expect(odd.replace(elements, '')).not.toMatch(/[<>]/)
})

test('json has counts and every result', async () => {
  const document = JSON.parse(await report('json'))
  expect(document).toMatchObject({ passed: 1, failed: 1, skipped: 1, durationMs: 1_500 })
  expect(document.scenarios).toHaveLength(3)
  const place = { line: 4, column: 9 }
  expect(document.scenarios[1].failure).toMatchObject({
    ...place,
    file: 'a.yaml',
    step: 'sale as sale',
    differences: [{ path: 'expect.status', expected: 'approved', ...place }],
    transactionId: expect.stringMatching(/^\d+$/),
    timeZone: 'UTC',
  })
  const declined = expect.objectContaining({ what: 'declined' })
  expect(document.scenarios[1].failure.timeline).toContainEqual(declined)
  expect(document.scenarios[2]).toMatchObject({ outcome: 'skipped', reason: 'needs a sandbox' })
})

const plain = ['spec', 'junit', 'json'] as const
test.each(plain)('the reporter %s prints no control character of a text', async (name) => {
  const text = await report(name, 'a\u001b[31mred\u0007\u202eback\u009b1m')
  expect(text).not.toMatch(controlCharacter)
})
