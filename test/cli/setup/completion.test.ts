import { describe, expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { shownCommands } from '../../support/commands/manifest.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { shellNames } from '../../support/commands/shells.ts'
import { foreignServer } from '../../support/network/foreign.ts'

describe('completion scripts', () => {
  test.each(shellNames)(
    'the script of %s has every command and every flag that help shows',
    async (shell) => {
      const { stdout } = await runCommand(['completion', shell])
      for (const [id, { flags }] of shownCommands) {
        expect(stdout).toContain(id.replaceAll(':', ' '))
        for (const [name, { hidden }] of Object.entries(flags))
          if (!hidden) expect(stdout).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`)
      }
      expect(stdout).not.toContain('undefined')
      expect(stdout).not.toMatch(/tillbox __complete .*__complete/)
    },
  )

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

  test('completion lists names with descriptions', async () => {
    const sandbox = await startSandboxCommand()
    const { stdout } = await complete(['terminals', '--'], { cwd: sandbox.cwd })
    expect(stdout.split('\n')[0]).toBe('TBX-AUTO-001\tapproves by itself')
  })

  test('completion is empty without a sandbox, for an unknown kind, and for invalid flags', async () => {
    const base = ['--base-url', 'http://127.0.0.1:1']
    for (const words of [['terminals', '--', ...base], ['nonsense'], [], ['cards', '--', '--base-url', 'no']])
      expect(await complete(words)).toMatchObject(nothing)
  })

  test('__complete is not in help, and never suggested for a mistyped command', async () => {
    expect((await runCommand(['--help'])).stdout).not.toContain('__complete')
    expect((await runCommand(['complete'])).stderr).not.toContain('__complete')
    expect((await runCommand(['completon'])).stderr).toContain('tillbox completion')
  })

  test('assumption completion-wait: completion gives up on a silent sandbox, and asks no other', async () => {
    const url = await foreignServer(() => undefined)
    expect(await complete(['terminals', '--', '--base-url', url])).toMatchObject(nothing)
    const env = { TILLBOX_BASE_URL: 'https://api.example', TILLBOX_COMPLETION_WAIT: '60s' }
    expect(await complete(['terminals'], { env })).toMatchObject(nothing)
  })

  test('assumption completion-wait: completion proposes no name that a shell would read as a command', async () => {
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
