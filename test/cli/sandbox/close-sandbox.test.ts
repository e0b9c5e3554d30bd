import { expect, onTestFinished, test, vi } from 'vitest'
import { closeSandbox } from '../../../src/cli/lifecycle/own-sandbox.ts'

test('a signal during an export is answered with a warning, and a second one with where the state is', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  onTestFinished(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  const closing = closeSandbox({ close: () => promise }, { state: '/own/state', exportTo: 'x.jsonl' })
  process.emit('SIGINT')
  expect(write.mock.calls.join()).toContain('another signal stops that')
  expect(exit).not.toHaveBeenCalled()
  process.emit('SIGTERM')
  expect(write.mock.calls.join()).toMatch(/export to x.jsonl was interrupted.*kept in \/own\/state/s)
  expect(exit).toHaveBeenCalledWith(130)
  const before = process.listenerCount('SIGTERM')
  resolve()
  await closing
  expect(process.listenerCount('SIGTERM')).toBeLessThanOrEqual(before)
})
