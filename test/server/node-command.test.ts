import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Cluster, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { runCommand } from '../support/commands/command.ts'
import { openPty } from '../support/commands/pty.ts'
import { spawnSandbox } from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { inOneLine } from '../support/commands/terminal-text.ts'

describe.skipIf(skipsPostgres())('a node that sandbox start runs', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await sharedCluster()
  })

  /** Starts one; its folder is in its working folder. */
  async function startNode(more: readonly string[] = []) {
    const store = cluster.url()
    const sandbox = await spawnSandbox(['--store', store, ...more])
    const state = join(sandbox.cwd, '.tillbox')
    return { store, sandbox, lock: () => readFileSync(join(state, 'lock.json'), 'utf8') }
  }

  test('a node says where its state is, and keeps no password in its lock file, by which it is found and stopped', async () => {
    const { sandbox, lock } = await startNode()
    expect(sandbox.state).toMatch(/^postgres:/)
    expect(lock()).not.toContain(cluster.password)
    expect(lock()).toContain('"store":"postgres://tillbox@127.0.0.1:')
    expect((await sandbox.run(['sandbox', 'status'])).code).toBe(0)
    const stopped = await sandbox.json(['sandbox', 'stop'])
    expect(stopped).toMatchObject({ status: 'stopped', state: sandbox.state, kept: true })
  })

  test('verify and doctor say that the data of a node is in its database and was not checked', async () => {
    const { sandbox } = await startNode()
    const verified = inOneLine((await sandbox.run(['sandbox', 'verify'])).stdout)
    expect(verified).toMatch(
      /\.tillbox has no state: it is of a node data in postgres:\/\/tillbox@\S+, which was not checked/,
    )
    expect(verified).not.toMatch(/sound|transactions/)
    const verdict = await sandbox.json(['sandbox', 'verify'])
    expect(verdict).toMatchObject({ sound: true, database: expect.stringMatching(/^postgres:\/\/tillbox@/) })
    expect(JSON.stringify(verdict)).not.toContain(cluster.password)
    expect(inOneLine((await sandbox.run(['doctor'])).stdout)).toMatch(
      /\.tillbox is of a node: its data is in postgres:\/\/tillbox@\S+, which was not checked/,
    )
  })

  test('a restart of a node needs the password in the environment, else it is refused and stops nothing', async () => {
    const { store, sandbox, lock } = await startNode()
    const { pid } = sandbox
    onTestFinished(() => sandbox.run(['sandbox', 'stop']).then(() => undefined))
    const refused = await sandbox.run(['sandbox', 'restart'])
    expect([refused.code, inOneLine(refused.stderr)]).toEqual([
      2,
      expect.stringMatching(/The password of the database postgres:\S+ is not kept.*Nothing was stopped/),
    ])
    const other = await sandbox.run(['sandbox', 'restart'], { TILLBOX_STORE: cluster.url() })
    expect(other.code).toBe(2)
    expect(JSON.parse(lock()).pid).toBe(pid)
    const environments: Record<string, string>[] = [
      { TILLBOX_STORE: store },
      { PGPASSWORD: cluster.password },
    ]
    for (const environment of environments) {
      const { code, stderr } = await sandbox.run(['sandbox', 'restart'], environment)
      expect([code, stderr]).toEqual([0, expect.any(String)])
      expect(lock()).not.toContain(cluster.password)
    }
    expect(JSON.parse(lock()).pid).not.toBe(pid)
    expect((await sandbox.json(['sale', '--amount', '1.00'])).transactionStatus).toBe('S')
  })

  test('a node that is stopped by Ctrl-C says that its state is in the database', async () => {
    const store = cluster.url()
    const cwd = scratchFolder()
    const window = openPty(['sandbox', 'start', '--port', '0', '--store', store], { cwd, columns: 200 })
    await expect.poll(() => window.written(), { timeout: 20_000 }).toContain('Ctrl-C stops it')
    window.type('\x03')
    expect(await window.ended).toBe(0)
    expect(window.written()).toMatch(
      /Stopped\. State is in postgres:\/\/tillbox@127\.0\.0\.1:\d+\/postgres\?schema=s_\w+\./,
    )
    expect(window.written()).not.toContain(cluster.password)
  })

  test('a start on the port of a node advises another port and names no URL of the database', async () => {
    const { sandbox } = await startNode()
    const { port } = new URL(sandbox.url)
    const { code, stderr } = await runCommand(['sandbox', 'start', '--port', port], { cwd: scratchFolder() })
    expect(code).toBe(2)
    expect(inOneLine(stderr)).toMatch(
      /Add --port 0, which picks a free one\. Or stop that one in the folder where it was started: tillbox sandbox stop /,
    )
    expect(stderr).not.toContain('--state postgres')
  })
})

test('an empty variable counts as not set', async () => {
  const names = ['TILLBOX_STORE', 'TILLBOX_TOKEN', 'TILLBOX_NOTIFY_URL', 'TILLBOX_STATE']
  const env = Object.fromEntries(names.map((name) => [name, '']))
  const sandbox = await spawnSandbox([], { env })
  expect(sandbox.state).toBe(join(sandbox.cwd, '.tillbox'))
  expect((await sandbox.run(['sandbox', 'status'], env)).code).toBe(0)
})
