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

  /** Starts one; its state folder is in its working folder. */
  async function startNode() {
    const store = cluster.url()
    const sandbox = await spawnSandbox(['--store', store])
    return { store, sandbox, lock: () => readFileSync(join(sandbox.cwd, '.tillbox', 'lock.json'), 'utf8') }
  }

  test('commands say that the data of a node is in a database, keep no password, and find and stop the node', async () => {
    const { sandbox, lock } = await startNode()
    expect(sandbox.state).toMatch(/^postgres:/)
    expect(lock()).toContain('"store":"postgres://tillbox@127.0.0.1:')
    expect((await sandbox.run(['sandbox', 'status'])).code).toBe(0)
    const verified = inOneLine((await sandbox.run(['sandbox', 'verify'])).stdout)
    expect(verified).toMatch(
      /\.tillbox has no state: it is of a node data in postgres:\/\/tillbox@\S+, which was not checked/,
    )
    expect(verified).not.toMatch(/sound|transactions/)
    const repair = await sandbox.run(['sandbox', 'repair', '--yes'])
    expect([repair.code, inOneLine(repair.stderr)]).toEqual([
      2,
      expect.stringContaining('it is of a node, whose'),
    ])
    const verdict = await sandbox.json(['sandbox', 'verify'])
    expect(verdict).toMatchObject({ sound: true, database: expect.stringMatching(/^postgres:\/\/tillbox@/) })
    expect(inOneLine((await sandbox.run(['doctor'])).stdout)).toMatch(
      /not checked: \S+\.tillbox is of a node, and its data is in postgres:\/\/tillbox@\S+/,
    )
    const start = ['sandbox', 'start', '--port', new URL(sandbox.url).port]
    const beside = await runCommand(start, { cwd: scratchFolder() })
    expect([beside.code, inOneLine(beside.stderr)]).toEqual([
      2,
      expect.stringMatching(
        /leave --port out: the sandbox of a folder takes the next free one\. Or stop that one in the folder where it was started: tillbox sandbox stop /,
      ),
    ])
    expect(beside.stderr).not.toContain('--state postgres')
    for (const text of [lock(), JSON.stringify(verdict)]) expect(text).not.toContain(cluster.password)
    const stopped = await sandbox.json(['sandbox', 'stop'])
    expect(stopped).toMatchObject({ status: 'stopped', state: sandbox.state, kept: true })
  })

  test('after a kill of a node the remedy names --store: without it, a start is of an empty sandbox', async () => {
    const { sandbox } = await startNode()
    process.kill(Number(sandbox.pid), 'SIGKILL')
    const list = () => sandbox.run(['list', '--state', '.tillbox'])
    await expect
      .poll(async () => inOneLine((await list()).stderr))
      .toMatch(/Start one: tillbox sandbox start --state \S+, with the --store that it had/)
  })

  test('a restart of a node needs the password in the environment, else it is refused and stops nothing', async () => {
    const { store, sandbox, lock } = await startNode()
    const restart = (env: Record<string, string>) => sandbox.run(['sandbox', 'restart'], env)
    onTestFinished(() => sandbox.run(['sandbox', 'stop']).then(() => undefined))
    const refused = await restart({})
    expect([refused.code, inOneLine(refused.stderr)]).toEqual([
      2,
      expect.stringMatching(/The password of the database postgres:\S+ is not kept.*Nothing was stopped/),
    ])
    expect((await restart({ TILLBOX_STORE: cluster.url() })).code).toBe(2)
    expect(JSON.parse(lock()).pid).toBe(sandbox.pid)
    for (const environment of [{ TILLBOX_STORE: store }, { PGPASSWORD: cluster.password }] as const) {
      const { pid } = JSON.parse(lock())
      expect(await restart({ ...environment })).toMatchObject({ code: 0, stderr: expect.any(String) })
      expect(lock()).not.toContain(cluster.password)
      expect(JSON.parse(lock()).pid).not.toBe(pid)
    }
    expect((await sandbox.json(['sale', '--amount', '1.00'])).transactionStatus).toBe('S')
  })

  test('a node that is stopped by Ctrl-C says that its state is in the database', async () => {
    const args = ['sandbox', 'start', '--port', '0', '--store', cluster.url()]
    const window = openPty(args, { cwd: scratchFolder(), columns: 200 })
    await expect.poll(() => window.written(), { timeout: 20_000 }).toContain('Ctrl-C stops it')
    window.type('\x03')
    expect(await window.ended).toBe(0)
    const words = /Stopped\. State is in postgres:\/\/tillbox@127\.0\.0\.1:\d+\/postgres\?schema=s_\w+\./
    expect(window.written()).toMatch(words)
    expect(window.written()).not.toContain(cluster.password)
  })
})
