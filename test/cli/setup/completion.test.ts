import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../support/command.ts'
import { foreignServer } from '../../support/foreign.ts'
import { startSandboxCommand } from '../../support/running-sandbox.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { type CompletingShell, completingShell, type ShellName, shellNames } from '../../support/shells.ts'

const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  commands: Record<
    string,
    { hidden: boolean; aliases?: string[]; flags: Record<string, { hidden?: boolean }> }
  >
}
const shown = Object.entries(manifest.commands).filter(([, { hidden }]) => !hidden)

/** zsh and fish are tried where they are installed; where tests must not be skipped, they have to be. */
const isThere = (shell: ShellName): boolean =>
  Boolean(process.env.CI) ||
  execFileSync('bash', ['-c', `command -v ${shell} || true`], { encoding: 'utf8' }) !== ''

describe.each(shellNames.filter(isThere))('completion in %s', (shell) => {
  const beside = (cwd = scratchFolder()): Promise<CompletingShell> => completingShell(shell, cwd)

  test('proposes commands, topics, and flags of a command that have not been typed', async () => {
    const { proposals } = await beside()
    expect(await proposals('tillbox sandb')).toEqual(['sandbox'])
    expect(await proposals('tillbox sandbox veri')).toEqual(['verify'])
    expect((await proposals('tillbox sandbox ')).sort()).toEqual(nextAfter('sandbox'))
    expect((await proposals('tillbox ')).sort()).toEqual(nextAfter(''))
    expect(await proposals('tillbox sale --amou')).toEqual(['--amount'])
    expect(await proposals('tillbox sandbox start --notify')).toEqual(['--notify-url'])
    expect(await proposals('tillbox nonsense ')).toEqual([])
  })

  test('proposes the values that a flag or an argument may have', async () => {
    const { proposals } = await beside()
    const receipts = ['AUTO', 'BOTH', 'CUSTOMER', 'MERCHANT', 'NONE']
    expect((await proposals('tillbox sale --print-receipt ')).sort()).toEqual(receipts)
    expect((await proposals('tillbox sale --amount 10.00 --print-receipt=')).map(afterEquals).sort()).toEqual(
      receipts,
    )
    expect((await proposals('tillbox completion ')).sort()).toEqual(['bash', 'fish', 'zsh'])
    expect(await proposals('tillbox trigger sale-ap')).toEqual(['sale-approved'])
    expect(await proposals('tillbox sale --amount ')).toEqual([])
  })

  test('proposes files for a path, and folders for a state folder', async () => {
    const cwd = scratchFolder()
    mkdirSync(join(cwd, 'states'))
    writeFileSync(join(cwd, 'stand.json'), '{}')
    const { proposals } = await beside(cwd)
    const names = async (line: string) =>
      [...new Set((await proposals(line)).map((name) => name.replace(/\/$/, '')))].sort()
    expect(await names('tillbox sandbox start --fixtures sta')).toEqual(['stand.json', 'states'])
    expect(await names('tillbox sandbox status --state sta')).toEqual(['states'])
  })

  test('proposes what the running sandbox knows, of the sandbox that the line names', async () => {
    const sandbox = await startSandboxCommand()
    const { transactionId } = await sandbox.json(['sale', '--amount', '10.00'])
    const { proposals } = await beside(sandbox.cwd)
    expect(await proposals('tillbox terminal show ')).toEqual(sandbox.terminals)
    for (const flag of ['--terminal', '--terminal-sn'])
      expect(await proposals(`tillbox sale ${flag} TBX-AU`)).toEqual(['TBX-AUTO-001'])
    expect(await proposals('tillbox terminal queue TBX-AUTO-001 do-n')).toEqual(['do-not-honor'])
    expect(await proposals('tillbox checkout pay 1 --card visa-chip-')).toEqual(['visa-chip-pin'])
    expect(await proposals('tillbox refund ')).toEqual([transactionId])
    await sandbox.json(['token', 'create', 'lee', '--scope', 'viewer'])
    expect(await proposals('tillbox token revoke ')).toEqual(['lee'])
    const elsewhere = await beside()
    expect(await elsewhere.proposals('tillbox refund ')).toEqual([])
    expect(await elsewhere.proposals(`tillbox refund --state ${sandbox.state} `)).toEqual([transactionId])
    expect(await elsewhere.proposals(`tillbox query --base-url ${sandbox.url} `)).toEqual([transactionId])
  })

  test('proposes profiles, and nothing where settings cannot be read', async () => {
    const cwd = scratchFolder()
    await runCommand(['profile', 'set', 'staging', '--base-url', 'https://api.example'], { cwd })
    const { proposals } = await beside(cwd)
    expect(await proposals('tillbox sale --profile ')).toEqual(['staging'])
    expect(await proposals('tillbox profile show ')).toEqual(['staging'])
    writeFileSync(join(cwd, '.config/tillbox/config.json'), '{')
    expect(await proposals('tillbox sale --profile ')).toEqual([])
  })
})

/** What is proposed after `--flag=`: some shells show the flag with it. */
const afterEquals = (proposal: string): string => proposal.replace(/^.*=/, '')

/** First words of the commands below a topic. */
function nextAfter(topic: string): string[] {
  const prefix = topic === '' ? '' : `${topic}:`
  const ids = shown.flatMap(([id, { aliases = [] }]) => [id, ...aliases])
  const below = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
  return [...new Set(below.map((id) => id.split(':')[0] ?? ''))].sort()
}

describe('completion scripts', () => {
  test.each(shellNames)('that of %s has every command and every flag that help shows', async (shell) => {
    const { stdout } = await runCommand(['completion', shell])
    for (const [id, { flags }] of shown) {
      expect(stdout).toContain(id.replaceAll(':', ' '))
      for (const [name, { hidden }] of Object.entries(flags))
        if (!hidden) expect(stdout).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`)
    }
    expect(stdout).not.toContain('undefined')
    expect(stdout).not.toMatch(/tillbox __complete .*__complete/)
  })

  test('--json has the script as a text', async () => {
    const { stdout } = await runCommand(['completion', 'fish', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      shell: 'fish',
      script: (await runCommand(['completion', 'fish'])).stdout,
    })
  })

  test('an unknown shell is refused', async () => {
    expect((await runCommand(['completion', 'tcsh'])).code).toBe(2)
  })
})

describe('tillbox __complete', () => {
  const complete = (args: string[], options = {}) => runCommand(['__complete', ...args], options)
  const nothing = { code: 0, stdout: '', stderr: '' }

  test('lists names with what they are', async () => {
    const sandbox = await startSandboxCommand()
    const { stdout } = await complete(['terminals', '--'], { cwd: sandbox.cwd })
    expect(stdout.split('\n')[0]).toBe('TBX-AUTO-001\tapproves by itself')
  })

  test('says nothing without a sandbox, of an unknown kind, and of flags that cannot be read', async () => {
    const base = ['--base-url', 'http://127.0.0.1:1']
    for (const words of [['terminals', '--', ...base], ['nonsense'], [], ['cards', '--', '--base-url', 'no']])
      expect(await complete(words)).toMatchObject(nothing)
  })

  test('is not in help, and never meant by a mistyped command', async () => {
    expect((await runCommand(['--help'])).stdout).not.toContain('__complete')
    expect((await runCommand(['complete'])).stderr).not.toContain('__complete')
    expect((await runCommand(['completon'])).stderr).toContain('tillbox completion')
  })

  test('assumption completion-wait: gives up on a sandbox that does not answer, and asks none elsewhere', async () => {
    const url = await foreignServer(() => undefined)
    expect(await complete(['terminals', '--', '--base-url', url])).toMatchObject(nothing)
    const env = { TILLBOX_BASE_URL: 'https://api.example', TILLBOX_COMPLETION_WAIT: '60s' }
    expect(await complete(['terminals'], { env })).toMatchObject(nothing)
  })

  test('assumption completion-wait: proposes no name that a shell would read as a command', async () => {
    const outcome = { code: '051', message: 'No', status: 'FAIL' }
    const names = ['plain-one', '$(touch owned)', '`touch owned`', '--yes', 'a b', "a'b", 'a\u001b[2J']
    const answers: Readonly<Record<string, object>> = {
      '/_sandbox/connection': { apiKey: 'key-of-nobody' },
      '/_sandbox/outcomes': { outcomes: names.map((name) => ({ name, ...outcome })) },
    }
    const url = await foreignServer(({ url: path = '' }, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ code: '0', msg: 'ok', data: answers[path] }))
    })
    const env = { TILLBOX_COMPLETION_WAIT: '60s' }
    const { stdout } = await complete(['outcomes', '--', '--base-url', url], { env })
    expect(stdout).toBe('plain-one\t051 No\n')
  })
})
