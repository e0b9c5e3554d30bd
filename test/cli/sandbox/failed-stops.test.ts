import fs, { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { onInterruption } from '../../../src/cli/interruption.ts'
import { closeSandbox } from '../../../src/cli/lifecycle/own-sandbox.ts'
import { startCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'

const sale = ['sale', '--amount', '10.00']

/** `largest`: bytes that a file may have. */
const disk = { largest: Number.POSITIVE_INFINITY }

/** Writes as a disk does that takes no larger file. */
const limited = (real: Readonly<typeof fs>) => ({
  writeSync: (file: number, data: string | Uint8Array, ...rest: number[]) => {
    if (real.fstatSync(file).size + data.length > disk.largest)
      throw Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG' })
    return real.writeSync(file, data as Uint8Array, ...rest)
  },
})

const signals = ['SIGTERM', 'SIGINT'] as const
test.each(signals)('%s: a failed stop is reported with 0, and the next start has it all', async (signal) => {
  const sandbox = await startSandboxCommand()
  const ids = [await sandbox.json(sale), await sandbox.json(sale)].map(({ transactionId }) => transactionId)
  replaceFunctions(fs, limited)
  disk.largest = 4096 // less than a state file has
  const stopped = fails(
    sandbox.stop(signal),
    0,
    /state file could not be written.*the journal holds everything/,
  )
  expect((await stopped).stdout).toMatch(/^[^\n]+\n$/)
  disk.largest = Number.POSITIVE_INFINITY
  const again = await startSandboxCommand([], { cwd: sandbox.cwd })
  expect(again.output().stderr).toBe('')
  for (const id of ids) expect((await again.json(`query ${id}`)).transactionStatus).toBe('S')
  await prints(again.stop())
})

test('a folder in place of the lock file is named', async () => {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, '.tillbox', 'lock.json'), { recursive: true })
  await fails(startCommand('sandbox start --port 0', { cwd }).ended(), 2, 'lock.json')
})

test('a signal during an export is answered with a warning, and a second one with where the state is', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  onTestFinished(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })
  const { signal } = onInterruption()
  process.emit('SIGINT') // ends the command, whose sandbox is closed
  expect(signal.aborted).toBe(true)
  let resolve = () => {}
  const close = () => new Promise<void>((done) => (resolve = done))
  const closing = closeSandbox({ close }, { state: '/own/state', exportTo: 'x.jsonl' })
  process.emit('SIGINT')
  expect(write.mock.calls.join()).toContain('another signal stops that')
  expect(exit).not.toHaveBeenCalled()
  process.emit('SIGTERM')
  expect(write.mock.calls.join()).toMatch(/export to x.jsonl was interrupted.*kept in \/own\/state/s)
  expect(exit).toHaveBeenCalledWith(130)
  const before = process.listenerCount('SIGTERM')
  resolve()
  await closing
  for (const late of ['SIGINT', 'SIGTERM']) process.emit(late as NodeJS.Signals) // while a temporary folder is removed
  expect(exit).toHaveBeenCalledTimes(1)
  expect(process.listenerCount('SIGTERM')).toBeLessThanOrEqual(before)
})
