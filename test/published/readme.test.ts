import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { binary } from '../support/commands/binary.ts'
import { startCommand } from '../support/commands/command.ts'
import { test } from '../support/commands/running-sandbox.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const [, tour = ''] = /## Five minutes\n([\s\S]*?)\n## /.exec(readme) ?? []
const blocks = [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)

test('the tour of the README runs as it stands', async ({ sandbox }) => {
  const receiver = startCommand('webhook receive --port 0 --json', { cwd: sandbox.cwd })
  const { port } = new URL(JSON.parse(await receiver.until(/\n/)).url)
  const script = blocks
    .filter((block) => !block.startsWith('tillbox webhook receive'))
    .join('\n')
    .replaceAll('8455', new URL(sandbox.url).port)
    .replaceAll('4000', port)
  writeFileSync(
    join(sandbox.cwd, 'tillbox'),
    `#!/bin/sh\n"${process.execPath}" "${binary}" "$@"\ncode=$?\necho "$code $*" >> codes\nexit $code\n`,
    { mode: 0o755 },
  )
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd: sandbox.cwd,
    env: {
      PATH: `${sandbox.cwd}:${process.env.PATH}`,
      HOME: sandbox.cwd,
    },
  })
  expect(stdout).toMatch(
    /approved[\s\S]*051 Insufficient funds[\s\S]*closed[\s\S]*paid[\s\S]*settled[\s\S]* http:\/\/localhost[\s\S]*"code":"0"/,
  )
  const failed = readFileSync(join(sandbox.cwd, 'codes'), 'utf8')
    .split('\n')
    .filter((line) => !/^(0|$)/.test(line))
  expect(failed).toEqual([
    '1 refund @last:sale --amount 12.00',
    '4 sale --amount 97.34',
    '4 sale --amount 25.00 --terminal TBX-CANCEL-001',
  ])
})
