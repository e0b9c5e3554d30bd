import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { SpaceRecords, spacesFileName } from '../../../src/sandbox/store/space-list.ts'
import { ensureCertificate } from '../../../src/server/certificate.ts'
import { replaceChecked } from '../../../src/shared/files/checked-json.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { leftByKill, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { folderContents } from '../../support/store/folder-contents.ts'
import { commitAll, git, lacksGit } from '../../support/store/git.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** The secret that whoever wrote the repository knows. */
const known = 'ab'.repeat(32)

/** A project whose state folder has everything that a start could trust, send or remove. */
async function hostileProject() {
  const receiver = await openReceiver(500)
  const sandbox = await startSandboxCommand()
  await sandbox.json(`sale --amount 10.00 --notify-url ${receiver.url}/hostile`)
  await sandbox.json('sale --amount 11.00')
  await expect.poll(() => receiver.arrivals.length).toBeGreaterThan(0)
  await sandbox.prints('sandbox snapshot save planted')
  await sandbox.json('token create planted --scope admin')
  const { cwd, state } = leftByKill(sandbox)
  await sandbox.stop()
  rmSync(join(state, 'lock.json'))
  replaceChecked(join(state, 'secret.json'), { secret: known })
  await ensureCertificate(state)
  const spaces = new SpaceRecords(state, () => undefined)
  spaces.add('work', Date.now(), null, null)
  spaces.add('over', Date.now(), 1, null)
  spaces.markRemoved('work')
  for (const name of ['work', 'over']) {
    mkdirSync(join(state, 'spaces', name), { recursive: true })
    writeFileSync(join(state, 'spaces', name, 'state.json'), 'not removed')
  }
  const seen = receiver.arrivals.length
  return { cwd, state, receiver, sent: () => receiver.arrivals.length - seen }
}

/** A clone, as a user with that umask makes it. */
function cloneOf(project: string, umask: string): string {
  commitAll(project)
  const clone = join(scratchFolder(), 'clone')
  execFileSync('sh', ['-c', 'umask "$1" && git clone --quiet "$2" "$3"', 'sh', umask, project, clone])
  return clone
}

const starts = [
  'sandbox start --port 0 --json',
  'sandbox start --port 0 --detach --json',
  'sandbox start --port 0 --host 0.0.0.0 --token generate --json',
  'sandbox start --port 0 --https --json',
  'exec --state .tillbox -- true',
  'sandbox repair --yes',
]

describe.skipIf(lacksGit)('a cloned repository with a state folder', () => {
  test.each(['022', '077'])(
    'is refused by every start after umask %s; nothing is changed or sent',
    async (umask) => {
      const { cwd: project, sent } = await hostileProject()
      const cwd = cloneOf(project, umask)
      const before = folderContents(cwd)
      for (const line of starts)
        await fails(
          runCommand(line, { cwd }),
          2,
          'Git tracks files in it',
          'tillbox sandbox repair --take-over',
          `git rm -r --cached ${join(cwd, '.tillbox')}`,
          '--state',
        )
      await expect(createSandbox({ state: join(cwd, '.tillbox') })).rejects.toThrow('Git tracks files in it')
      expect(folderContents(cwd)).toEqual(before)
      expect(sent()).toBe(0)
    },
  )

  test('verify says why no sandbox starts on it', async () => {
    const { cwd: project } = await hostileProject()
    const shown = await runCommand('sandbox verify --json', { cwd: cloneOf(project, '022') })
    expect(JSON.parse(shown.stdout).warnings[0]).toMatch(/no sandbox starts on it.*Git tracks/)
  })

  test('a packed copy without the repository is refused by its modes', async () => {
    const { cwd: project, sent } = await hostileProject()
    const cwd = cloneOf(project, '022')
    rmSync(join(cwd, '.git'), { recursive: true })
    for (const line of starts)
      await fails(runCommand(line, { cwd }), 2, 'other users can open', 'tillbox sandbox repair --take-over')
    expect(sent()).toBe(0)
  })

  test('it starts elsewhere with --state', async () => {
    const { cwd: project, sent } = await hostileProject()
    const cwd = cloneOf(project, '022')
    const sandbox = await startSandboxCommand('--state ./mine', { cwd })
    expect(await sandbox.json('list --state ./mine')).toMatchObject({ transactions: [] })
    expect(sent()).toBe(0)
  })

  test.each(['022', '077'])(
    'taken over after umask %s, it keeps payments, and trusts and sends nothing',
    async (umask) => {
      const { cwd: project, state, sent } = await hostileProject()
      rmSync(join(state, 'spaces'), { recursive: true })
      rmSync(join(state, spacesFileName))
      const cwd = cloneOf(project, umask)
      await fails(runCommand('sandbox repair --take-over', { cwd }), 2, '--yes')
      const { stdout, stderr } = await runCommand('sandbox repair --take-over --yes --json', { cwd })
      const taken = JSON.parse(stdout)
      expect(taken).toMatchObject({ status: 'taken-over', transactions: 2 })
      expect(stderr).toContain('git rm -r --cached')
      expect(readdirSync(taken.backup)).toContain('secret.json')
      expect(readdirSync(join(cwd, '.tillbox')).sort()).toEqual([
        expect.stringMatching(/^journal-\d+\.jsonl$/),
        'state.json',
      ])
      git(cwd, 'rm', '-r', '--quiet', '--cached', '.tillbox')
      const sandbox = await startSandboxCommand('--host 127.0.0.1', { cwd })
      expect((await sandbox.json('list')).transactions).toHaveLength(2)
      expect(await sandbox.json('token list')).toMatchObject({ tokens: [] })
      expect(await sandbox.json('sandbox snapshot list')).toMatchObject({ snapshots: [] })
      await sandbox.json('sandbox clock --advance 30d')
      expect(sent()).toBe(0)
      await sandbox.stop()
      expect(existsSync(join(cwd, '.tillbox/secret.json'))).toBe(false)
    },
  )

  test('spaces that are taken over have new secrets, and no token', async () => {
    const { cwd: project } = await hostileProject()
    const cwd = cloneOf(project, '022')
    const path = join(cwd, '.tillbox', spacesFileName)
    rmSync(join(cwd, '.tillbox/spaces'), { recursive: true })
    const before = JSON.parse(readFileSync(path, 'utf8')).data.spaces
    expect((await runCommand('sandbox repair --take-over --yes', { cwd })).stdout).toContain('yours now')
    const after = JSON.parse(readFileSync(path, 'utf8')).data.spaces
    expect(after.map((each: { name: string }) => each.name)).toEqual(['work', 'over'])
    for (const [index, { secret }] of after.entries()) expect(secret).not.toBe(before[index].secret)
  })
})

describe.skipIf(lacksGit)('a cloned repository with links', () => {
  /** A folder beside the clone that nothing may change. */
  function beside(project: string) {
    const cwd = cloneOf(project, '022')
    const outside = join(cwd, '../work')
    mkdirSync(outside)
    writeFileSync(join(outside, 'state.json'), 'precious')
    return { cwd, outside, before: folderContents(outside) }
  }

  test('.tillbox/spaces -> ../.. removes no folder outside', async () => {
    const project = scratchFolder()
    const state = join(project, '.tillbox')
    mkdirSync(state)
    const spaces = new SpaceRecords(state, () => undefined)
    spaces.add('work', Date.now(), 1, null)
    spaces.markRemoved('work')
    symlinkSync('../..', join(state, 'spaces'))
    const { cwd, outside, before } = beside(project)
    for (const line of starts) await fails(runCommand(line, { cwd }), 2, '.tillbox/spaces: it is a link')
    await fails(runCommand('sandbox repair --take-over --yes', { cwd }), 2, 'is a link')
    rmSync(join(cwd, '.git'), { recursive: true })
    await fails(runCommand(starts[0] ?? '', { cwd }), 2, '.tillbox/spaces: it is a link')
    expect(folderContents(outside)).toEqual(before)
  })

  test('.tillbox as a link is refused, and nothing is written where it leads', async () => {
    const project = scratchFolder()
    symlinkSync('../work', join(project, '.tillbox'))
    const { cwd, outside, before } = beside(project)
    for (const line of [...starts, 'sandbox verify', 'sandbox repair --take-over --yes'])
      await fails(runCommand(line, { cwd }), 2, 'is a link', /real path.*--state/)
    expect(folderContents(outside)).toEqual(before)
  })

  test.each([
    ['../work', 'is outside'],
    ['/tmp', 'is outside'],
    ['linked/state', 'is a link'],
    ['linked', 'is a link'],
  ])('tillbox.config.json with the state folder %s is refused', async (state, why) => {
    const project = folderWith({ 'tillbox.config.json': JSON.stringify({ state }) })
    symlinkSync('../work', join(project, 'linked'))
    const { cwd, outside, before } = beside(project)
    for (const line of [
      'sandbox start --port 0 --json',
      'sale --amount 10.00',
      'sandbox verify',
      'sandbox stop',
    ])
      await fails(runCommand(line, { cwd }), 2, why, '--state')
    expect(folderContents(outside)).toEqual(before)
    await startSandboxCommand('--state ./mine', { cwd })
  })

  test('a linked folder above the project changes nothing', async () => {
    const [real, links] = [scratchFolder(), scratchFolder()]
    writeFileSync(join(real, 'tillbox.config.json'), JSON.stringify({ state: 'a/b' }))
    symlinkSync(real, join(links, 'project'))
    const sandbox = await startSandboxCommand([], { cwd: join(links, 'project') })
    await sandbox.json('sale --amount 10.00')
    expect(existsSync(join(real, 'a/b/state.json'))).toBe(true)
  })
})

test.skipIf(lacksGit)(
  'a project that keeps its own state folder out of Git starts, also where it was copied',
  async () => {
    const cwd = folderWith({ '.gitignore': '.tillbox\n', 'a.txt': '' })
    git(cwd, 'init', '--quiet')
    git(cwd, 'add', '--all')
    const first = await startSandboxCommand([], { cwd })
    await first.json('sale --amount 10.00')
    const left = leftByKill(first)
    await first.stop()
    for (const each of [cwd, left.cwd]) {
      const copy = join(scratchFolder(), 'copy')
      cpSync(each, copy, { recursive: true })
      const again = await startSandboxCommand([], { cwd: copy })
      expect((await again.json('list')).transactions).toHaveLength(1)
    }
  },
)
