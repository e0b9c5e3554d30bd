import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { runCommand } from '../support/commands/command.ts'
import { shownCommands } from '../support/commands/manifest.ts'
import { test } from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'
import { completingShell, type ShellName, shellNames } from '../support/commands/shells.ts'

/** zsh and fish are tried where they are installed; where tests must not be skipped, they have to be. */
const isThere = (shell: ShellName): boolean =>
  Boolean(process.env.CI) ||
  execFileSync('bash', ['-c', `command -v ${shell} || true`], { encoding: 'utf8' }) !== ''

describe.each(shellNames.filter(isThere))('completion in %s', (shell) => {
  const beside = (cwd = scratchFolder()) => completingShell(shell, cwd)

  test('completion proposes commands, topics and flags of a command', async () => {
    const { proposals } = await beside()
    expect(await proposals('tillbox sandb')).toEqual(['sandbox'])
    expect(await proposals('tillbox sandbox veri')).toEqual(['verify'])
    expect((await proposals('tillbox sandbox ')).sort()).toEqual(nextAfter('sandbox'))
    expect((await proposals('tillbox ')).sort()).toEqual(nextAfter(''))
    expect(await proposals('tillbox sale --amou')).toEqual(['--amount'])
    expect(await proposals('tillbox sandbox start --notify')).toEqual(['--notify-url'])
    expect(await proposals('tillbox nonsense ')).toEqual([])
  })

  test('completion proposes the values that a flag or an argument may have', async () => {
    const { proposals } = await beside()
    const formats = ['table', 'json', 'ndjson', 'csv'] // in the order of the help
    expect(await proposals('tillbox sale --output ')).toEqual(formats)
    const joined = await proposals('tillbox sale --amount 10.00 --output=')
    expect(joined.map((each) => each.replace(/^.*=/, ''))).toEqual(formats) // some show the flag
    expect(await proposals('tillbox completion ')).toEqual(['bash', 'zsh', 'fish'])
    expect(await proposals('tillbox trigger sale-ap')).toEqual(['sale-approved'])
    expect(await proposals('tillbox sale --amount ')).toEqual([])
  })

  test('completion proposes files for a path, and folders for a state folder', async () => {
    const { proposals } = await beside(folderWith({ 'stand.json': '{}', 'states/one': '' }))
    const names = async (line: string) =>
      [...new Set((await proposals(line)).map((name) => name.replace(/\/$/, '')))].sort()
    expect(await names('tillbox sandbox start --fixtures sta')).toEqual(['stand.json', 'states'])
    expect(await names('tillbox sandbox status --state sta')).toEqual(['states'])
  })

  test('completion proposes the records of the sandbox that the command line names', async ({ sandbox }) => {
    const { transactionId } = await sandbox.json('sale --amount 10.00')
    const { proposals } = await beside(sandbox.cwd)
    expect(await proposals('tillbox terminal show ')).toEqual(sandbox.terminals)
    expect(await proposals('tillbox sale --terminal TBX-AU')).toEqual(['TBX-AUTO-001'])
    expect(await proposals('tillbox terminal queue TBX-AUTO-001 do-n')).toEqual(['do-not-honor'])
    expect(await proposals('tillbox checkout pay 1 --card visa-chip-')).toEqual(['visa-chip-pin'])
    expect(await proposals('tillbox refund ')).toEqual([transactionId])
    await sandbox.json('token create lee --scope viewer')
    expect(await proposals('tillbox token revoke ')).toEqual(['lee'])
    const elsewhere = await beside()
    expect(await elsewhere.proposals('tillbox refund ')).toEqual([])
    expect(await elsewhere.proposals(`tillbox refund --state ${sandbox.state} `)).toEqual([transactionId])
    expect(await elsewhere.proposals(`tillbox query --base-url ${sandbox.url} `)).toEqual([transactionId])
  })

  test('completion proposes profiles, and nothing if the settings cannot be read', async () => {
    const cwd = scratchFolder()
    await runCommand('profile set staging --base-url https://api.example', { cwd })
    const { proposals } = await beside(cwd)
    expect(await proposals('tillbox sale --profile ')).toEqual(['staging'])
    expect(await proposals('tillbox profile show ')).toEqual(['staging'])
    writeFileSync(join(cwd, '.config/tillbox/config.json'), '{')
    expect(await proposals('tillbox sale --profile ')).toEqual([])
  })
})

/** First words of the commands below a topic. */
function nextAfter(topic: string): string[] {
  const prefix = topic === '' ? '' : `${topic}:`
  const ids = shownCommands.map(([id]) => id)
  const below = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
  return [...new Set(below.map((id) => id.split(':')[0] ?? ''))].sort()
}
