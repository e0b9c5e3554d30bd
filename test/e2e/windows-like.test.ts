import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runBinary } from '../support/commands/binary.ts'
import { fails } from '../support/commands/launched.ts'
import { scratchFolder } from '../support/commands/scratch.ts'

const likeWindows = join(import.meta.dirname, '../support/commands/windows-like.js')

/** Runs commands in one folder, each in a process that behaves as on Windows. */
function onWindows() {
  const cwd = scratchFolder()
  const env = { NODE_OPTIONS: `--import=${likeWindows}`, APPDATA: join(cwd, 'AppData'), TEMP: cwd }
  const run = (args: readonly string[]) => runBinary(args, { cwd, env })
  const json = async (line: string) => {
    const { code, stdout } = await run([...line.split(' '), '--json'])
    expect(code, line).toBe(0)
    return JSON.parse(stdout)
  }
  return { cwd, run, json }
}

describe('where there are no users, modes and signals, folders are not synced, and open files are not replaced', () => {
  test('a sandbox in the background sells, keeps its state over a stop, and restores a snapshot', async () => {
    const { cwd, run, json } = onWindows()
    const start = async () => {
      const { pid } = await json('sandbox start --detach --port 0')
      onTestFinished(() => void (existsSync(`/proc/${pid}`) && process.kill(pid, 'SIGKILL')))
    }
    await start()
    const sold = await json('sale --amount 10.00')
    expect(statSync(join(cwd, '.tillbox/state.json')).mode & 0o077, 'the state is as on Windows').toBe(0o066)
    await json('sandbox snapshot save before')
    await json('sale --amount 5.00')
    await json('sandbox snapshot restore before --yes')
    expect(await json('sandbox stop')).toMatchObject({ status: 'stopped', kept: true })
    await start()
    expect(await json('query @last')).toMatchObject({ transactionId: sold.transactionId })
    await json('sandbox stop')
    await fails(run(['sale', '--amount', '10.00']), 3, 'sandbox start')
  })

  test('a profile with a key lies in the folder of applications', async () => {
    const { cwd, json } = onWindows()
    await json('profile set live --base-url https://pay.example.com --api-key key-of-the-profile')
    expect(existsSync(join(cwd, 'AppData/tillbox/config.json'))).toBe(true)
    expect(await json('profile list')).toBeDefined()
  })
})
