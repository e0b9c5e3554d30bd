import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { binary } from '../support/commands/binary.ts'
import { startCommand } from '../support/commands/command.ts'
import { type LaunchedSandbox, test } from '../support/commands/running-sandbox.ts'
import { projectRoot } from '../support/project.ts'

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const sections = new Map(
  readme.split(/^## /m).map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
)

/** The blocks of commands in a section. */
const blocksOf = (title: string): string[] =>
  [...(sections.get(title) ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)

/** Runs lines in a shell beside a sandbox; resolves to what was printed, and to the commands that failed. */
async function runLines({ cwd }: LaunchedSandbox, script: string) {
  const codes = join(cwd, 'codes')
  const program = `#!/bin/sh\n"${process.execPath}" "${binary}" "$@"\ncode=$?\necho "$code $*" >> '${codes}'\nexit $code\n`
  writeFileSync(join(cwd, 'tillbox'), program, { mode: 0o755 })
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\ntrue`], {
    cwd,
    env: { PATH: `${cwd}:${process.env.PATH}`, HOME: cwd },
  })
  const ended = readFileSync(codes, 'utf8').split('\n')
  return { stdout, failed: ended.filter((line) => !/^(0|$)/.test(line)) }
}

describe('every block of the README runs as it stands', () => {
  test('the five minutes', async ({ sandbox }) => {
    const receiver = startCommand('webhook receive --port 0 --json', { cwd: sandbox.cwd })
    const { port } = new URL(JSON.parse(await receiver.until(/\n/)).url)
    const script = blocksOf('Five minutes').join('\n').replaceAll('4000', port)
    const { stdout, failed } = await runLines(sandbox, script)
    expect(stdout).toMatch(
      /approved[\s\S]*051 Insufficient funds[\s\S]*closed[\s\S]*29\.50 USD[\s\S]*paid[\s\S]*settled[\s\S]* http:\/\/localhost[\s\S]*curl /,
    )
    expect(failed).toEqual([
      '1 refund @last:sale --amount 12.00',
      '4 sale --amount 97.34',
      '4 sale --amount 25.00 --terminal TBX-CANCEL-001',
    ])
  })

  test('what no other tool does', async ({ sandbox }) => {
    await runLines(sandbox, 'tillbox sale --amount 10.00')
    const [exam = '', ...others] = blocksOf('What no other tool does')
    const script = exam.replace(
      'cd examples/exam',
      `cp -r '${join(projectRoot, 'examples/exam')}' shop && cd shop`,
    )
    const { stdout, failed } = await runLines(sandbox, [`(${script})`, ...others].join('\n'))
    expect(failed).toEqual(['1 attack --drive drive.yaml --seed 7'])
    const shown = sections.get('What no other tool does') ?? ''
    for (const line of ['1 of 74 situations', '✗ charged-once', '  before step 1: lost-answer'])
      expect([shown.includes(line), stdout.includes(line)], line).toEqual([true, true])
    expect(stdout).toContain('SBX_OVER_REFUND: Refund amount exceeds')
  })
})
