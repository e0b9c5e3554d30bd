import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { launch, scratchFolder, startBinary } from '../support/binary.ts'

const sale = ['sale', '--amount', '10.00']

describe('a snapshot that cannot be written', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s: it is told, the end is 0, and the next start finds everything',
    async (signal) => {
      const sandbox = await startBinary()
      const ids = [await sandbox.json(sale), await sandbox.json(sale)].map(
        ({ transactionId }) => transactionId,
      )
      const inTheWay = join(sandbox.state, 'snapshot.jsonl.new')
      mkdirSync(inTheWay)
      const { code, stdout, stderr } = await sandbox.stop(signal)
      expect(code).toBe(0)
      expect(stderr).toMatch(/snapshot could not be written.*the journal holds everything/)
      expect(stderr).not.toContain('mistake of tillbox')
      expect(stdout).toMatch(/^[^\n]+\n$/)
      const again = await startBinary([], { cwd: sandbox.cwd })
      expect(again.said().stderr).toBe('')
      for (const id of ids) expect((await again.json(['query', id])).transactionStatus).toBe('S')
      rmdirSync(inTheWay)
      expect(await again.stop()).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

/** What a start on a state folder that holds this file comes to: its failure, or null when it is ready. */
async function startOn(name: string, text: string | null) {
  const cwd = scratchFolder()
  const path = join(cwd, '.tillbox', name)
  mkdirSync(join(cwd, '.tillbox'))
  if (text === null) mkdirSync(path)
  else writeFileSync(path, text)
  const started = launch(['sandbox', 'start', '--port', '0', '--json'], { cwd })
  const ready = await started.until(/^\{"url":.*\n/).then(
    () => true,
    () => false,
  )
  return { ready, path, cwd, stop: started.stop }
}

const good = { clock: { offset: 0, frozenAt: null }, allowLists: {}, keys: {} }

describe('a damaged settings.json: 2, the file is named, and nothing of it is changed', () => {
  test.each([
    ['it is empty', ''],
    ['it is cut off', '{"clock":'],
    ['it is another kind of JSON', '[]'],
    ['it is null', 'null'],
    ['a part is missing', '{"clock":{"offset":0,"frozenAt":null}}'],
    ['a number is a text', JSON.stringify({ ...good, clock: { offset: '0', frozenAt: null } })],
    ['a list is a text', JSON.stringify({ ...good, allowLists: { tbxapp0000000001: '127.0.0.1' } })],
    ['a key is a text', JSON.stringify({ ...good, keys: { tbxapp0000000001: ['key'] } })],
    ['it is a folder', null],
  ])('%s', async (_, text) => {
    const { ready, path, stop } = await startOn('settings.json', text)
    const { code, stdout, stderr } = await stop()
    expect([ready, code]).toEqual([false, 2])
    expect(stderr).toContain(path)
    expect(stderr).not.toContain('mistake of tillbox')
    expect(stderr).not.toMatch(/^\s+at /m)
    const { error } = JSON.parse(stdout)
    expect(error).toMatchObject({ exitCode: 2, field: 'state', remedy: expect.stringContaining('--state') })
    expect(error.message).toContain(path)
    if (text !== null) expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

describe('a damaged lock.json', () => {
  test.each(['', '{', 'nothing', 'null', '[]', '{"url":"http://127.0.0.1:1"}'])(
    'names no process, so it stops nobody: %j',
    async (text) => {
      const { ready, path, stop } = await startOn('lock.json', text)
      expect(ready).toBe(true)
      expect(JSON.parse(readFileSync(path, 'utf8')).url).toMatch(/^http:/)
      expect((await stop()).code).toBe(0)
    },
  )

  test('cut off behind the name of a process that lives: 2, with the process and the folder', async () => {
    const { ready, cwd, stop } = await startOn('lock.json', `{"pid":${process.pid},"be`)
    const { code, stderr } = await stop()
    expect([ready, code]).toEqual([false, 2])
    expect(stderr).toContain(`process ${process.pid}`)
    expect(stderr).toContain(join(cwd, '.tillbox'))
  })
})
