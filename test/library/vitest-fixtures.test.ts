import { expect, it, onTestFinished, vi } from 'vitest'
import { sandboxTest } from '../../src/library/vitest.ts'

type VitestFixture = (context: object, use: (value: unknown) => Promise<void>) => Promise<void>
type VitestFixtures = Record<string, VitestFixture | [VitestFixture, { scope: string }]>
interface FakeTest {
  extend(more: VitestFixtures): FakeTest
  context(): Promise<Record<string, unknown>>
}

/** A file of tests with fixtures as vitest 3 has them: one value for all of the same name. */
class FakeFile {
  readonly #values = new Map<string, unknown>()
  readonly #teardowns: Promise<void>[] = []
  #ended: () => void = () => undefined
  readonly #end = new Promise<void>((resolve) => {
    this.#ended = resolve
  })

  test(fixtures: VitestFixtures): FakeTest {
    return {
      extend: (more) => this.test({ ...fixtures, ...more }),
      context: async () => {
        const context: Record<string, unknown> = { task: { name: 'a sale' } }
        for (const [name, fixture] of Object.entries(fixtures)) {
          const [make, isOfFile] = Array.isArray(fixture) ? [fixture[0], true] : [fixture, false]
          context[name] = (isOfFile && this.#values.get(name)) || (await this.#made(make, context))
          if (isOfFile) this.#values.set(name, context[name])
        }
        return context
      },
    }
  }

  async close(): Promise<void> {
    this.#ended()
    await Promise.all(this.#teardowns)
  }

  #made(make: VitestFixture, context: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = make(context, (value) => {
        resolve(value)
        return this.#end
      })
      done.catch(reject)
      this.#teardowns.push(done)
    })
  }
}

const sandboxOf = async (test: unknown) => {
  const { sandbox } = await (test as FakeTest).context()
  return sandbox as { url: string; clock: { now(): Promise<Date> } }
}

it('with vitest 3, each sandboxTest of a file has a sandbox of its own, and it is closed after the file', async () => {
  const file = new FakeFile()
  const extend = vi
    .spyOn(it, 'extend')
    .mockImplementation(((fixtures: VitestFixtures) => file.test(fixtures)) as never)
  onTestFinished(() => extend.mockRestore())
  const [plain, frozen] = [sandboxTest(), sandboxTest({ clock: 'frozen' })]
  const [first, again, other] = [await sandboxOf(plain), await sandboxOf(plain), await sandboxOf(frozen)]
  expect(again.url).toBe(first.url)
  expect(other.url).not.toBe(first.url)
  expect(await other.clock.now()).toEqual(await other.clock.now())
  await file.close()
  await expect(fetch(first.url)).rejects.toThrow()
  await expect(fetch(other.url)).rejects.toThrow()
})
