import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../support/commands/scratch.ts'

const demo = fileURLToPath(new URL('../../bin/demo.js', import.meta.url))

/** Starts the tour with its temporary folder in a folder of the test. */
function startTour() {
  const temporary = scratchFolder()
  const env = { PATH: process.env.PATH ?? '', HOME: temporary, TMPDIR: temporary }
  const child = spawn(process.execPath, [demo], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stderr.resume()
  const nothingRuns = once(child.stderr, 'close') // open for as long as anything that the tour started runs
  return { child, temporary, nothingRuns }
}

test('the tour runs to its end, and its folder is gone', async () => {
  const { child, temporary, nothingRuns } = startTour()
  const exit = once(child, 'exit')
  const output = await text(child.stdout)
  expect([(await exit)[0], output]).toEqual([0, expect.stringContaining('Your turn:')])
  await nothingRuns
  expect(readdirSync(temporary).filter((name) => name.startsWith('tillbox-demo-'))).toEqual([])
})

test('a tour whose output is closed ends with all that it started, and its folder is gone', async () => {
  const { child, temporary, nothingRuns } = startTour()
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await nothingRuns
  expect(readdirSync(temporary).filter((name) => name.startsWith('tillbox-demo-'))).toEqual([])
})

test('a tour that is killed leaves no sandbox behind', async () => {
  const { child, temporary, nothingRuns } = startTour()
  let output = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout) {
    output += text
    if (output.includes('ready at')) break
  }
  child.kill('SIGKILL')
  await nothingRuns
  for (const name of readdirSync(temporary))
    expect(existsSync(join(temporary, name, 'lock.json'))).toBe(false)
})
