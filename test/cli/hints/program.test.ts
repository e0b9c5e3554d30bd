import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { programName } from '../../../src/cli/hints/program.ts'
import { binary, runBinary } from '../../support/commands/binary.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const npm = { npm_config_user_agent: 'npm/10.9.2 node/v22.13.0 linux x64 workspaces/false' }
const pnpm = { npm_config_user_agent: 'pnpm/9.15.0 npm/? node/v22.13.0 linux x64' }
const yarn = { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v22.13.0 linux x64' }

test.each([
  ['a link on the PATH', '/usr/local/bin/tillbox', {}, 'tillbox'],
  ['the same within a script of npm', '/usr/local/bin/tillbox', npm, 'tillbox'],
  ['npx, npm exec', '/shop/node_modules/.bin/tillbox', npm, 'npx tillbox'],
  ['npx without an installation', '/home/lee/.npm/_npx/1f/node_modules/.bin/tillbox', npm, 'npx tillbox'],
  ['pnpm exec', '/shop/node_modules/tillbox/bin/run.js', pnpm, 'pnpm exec tillbox'],
  ['pnpm dlx', '/home/lee/.cache/pnpm/dlx/1/node_modules/tillbox/bin/run.js', pnpm, 'pnpm dlx tillbox'],
  ['yarn', '/shop/node_modules/.bin/tillbox', yarn, 'yarn tillbox'],
  ['the path of the link', '/shop/node_modules/.bin/tillbox', {}, './node_modules/.bin/tillbox'],
  ['node and the file', '/shop/bin/run.js', {}, 'node bin/run.js'],
  ['node and a file elsewhere', '/clone/bin/run.js', npm, 'node /clone/bin/run.js'],
  ['a global installation on Windows', '/npm/node_modules/tillbox/bin/run.js', {}, 'tillbox'],
  ['another program', '/shop/node_modules/vitest/vitest.mjs', npm, 'tillbox'],
])('advice has the form in which the program was called: %s', (_, script, env, name) => {
  const at = (path: string) => path.replaceAll('/', sep)
  expect(programName(at(script), env, at('/shop'))).toBe(at(name))
})

test('an error advises a command in the form that was typed, also where the sandbox made the advice', async () => {
  const { stderr } = await runBinary('sandbox status --state nowhere')
  expect(stderr.replace(/\s+/g, ' ')).toContain(`Start one: node ${binary} sandbox start --state nowhere`)
})

test('what coverage advises has that form, too, and no folder of a sandbox that has ended', async () => {
  const { stdout } = await runBinary(['coverage', '--state', 'ended', '--', process.execPath, '-e', ''])
  expect(stdout).toMatch(new RegExp(`^ {2}· tip +node ${binary} sale --amount 10.00 --tip-amount 2.00$`, 'm'))
  expect(stdout).toContain(`; node ${binary} checkout pay $SESSION\n`)
  expect(stdout).toContain(`&& node ${binary} sandbox clock --advance 61s\n`)
  expect(stdout).not.toMatch(/ tillbox |--state/)
})

test('the advice of a sandbox that starts in the background has the form that was typed, too', async () => {
  const cwd = scratchFolder()
  const script = join(cwd, 'node_modules/.bin/tillbox')
  mkdirSync(dirname(script), { recursive: true })
  symlinkSync(binary, script)
  const other = await runBinary('sandbox start --detach --port 0 --json', { cwd })
  const { port } = new URL(JSON.parse(other.stdout).url)
  try {
    const start = `sandbox start --detach --state other --port ${port}`
    const { code, stderr } = await runBinary(start, { cwd, script, env: npm })
    expect({ code, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`npx tillbox sandbox stop --state ${join(cwd, '.tillbox')}`),
    })
  } finally {
    await runBinary('sandbox stop', { cwd })
  }
})
