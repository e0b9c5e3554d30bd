import { afterAll, describe, expect, it, vi } from 'vitest'
import { sandboxTest } from '../../src/vitest.ts'

type Fixture = (context: object, use: (value: unknown) => Promise<void>) => Promise<void>
type Fixtures = Record<string, Fixture | [Fixture, { scope: string }]>
interface FakeTest {
  extend(more: Fixtures): FakeTest
  context(): Promise<Record<string, unknown>>
}

const { fakeTest, endFile } = vi.hoisted(() => {
  const ofFile = new Map<string, unknown>()
  let ended: () => void = () => undefined
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const teardowns: Promise<void>[] = []

  /** Fixtures as vitest 3 has them: in a file, one value for all of the same name. */
  const fake = (fixtures: Fixtures): FakeTest => ({
    extend: (more) => fake({ ...fixtures, ...more }),
    context: async () => {
      const context: Record<string, unknown> = { task: { name: 'a sale' } }
      for (const [name, fixture] of Object.entries(fixtures)) {
        const [make, isOfFile] = Array.isArray(fixture) ? [fixture[0], true] : [fixture, false]
        context[name] = (isOfFile && ofFile.get(name)) || (await made(make, context))
        if (isOfFile) ofFile.set(name, context[name])
      }
      return context
    },
  })
  const made = (make: Fixture, context: object) =>
    new Promise((resolve, reject) => {
      const done = make(context, (value) => {
        resolve(value)
        return end
      })
      done.catch(reject)
      teardowns.push(done)
    })
  const endFile = async () => {
    ended()
    await Promise.all(teardowns)
  }
  return { fakeTest: fake({}), endFile }
})

vi.mock('vitest', async (original) => ({ ...(await original<object>()), test: fakeTest }))

const sandboxOf = async (test: unknown) => {
  const { sandbox } = await (test as FakeTest).context()
  return sandbox as { url: string; clock: { now(): Promise<Date> } }
}

describe('tillbox/vitest with vitest 3', () => {
  afterAll(endFile)

  it('each sandboxTest of a file has a sandbox of its own, and it is closed after the file', async () => {
    const [plain, frozen] = [sandboxTest(), sandboxTest({ clock: 'frozen' })]
    const [first, again, other] = [await sandboxOf(plain), await sandboxOf(plain), await sandboxOf(frozen)]
    expect(again.url).toBe(first.url)
    expect(other.url).not.toBe(first.url)
    expect(await other.clock.now()).toEqual(await other.clock.now())
    await endFile()
    await expect(fetch(first.url)).rejects.toThrow()
    await expect(fetch(other.url)).rejects.toThrow()
  })
})
