import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { type OpenSpace, Space } from '../../src/server/spaces/space.ts'
import { temporaryFolder } from '../support/service/service.ts'

/** A space in a folder of its own; `asleep` is called when it falls asleep. */
function newSpace(asleep: () => void, opening: Promise<void>) {
  const space = new Space(async (): Promise<OpenSpace> => {
    await opening
    const sandbox = await openSandbox({ state: temporaryFolder() })
    return { sandbox, handle: () => undefined, close: () => sandbox.close() }
  }, asleep)
  onTestFinished(() => space.close())
  return space
}

test('a space that is being opened when its node stops falls asleep after it has opened', async () => {
  let opens = () => {}
  const opening = new Promise<void>((resolve) => {
    opens = resolve
  })
  const calls: string[] = []
  const space = newSpace(() => calls.push('asleep'), opening)
  const entered = space.enter()
  const sleeping = space.putToSleep()
  opens()
  await Promise.all([entered, sleeping])
  expect([calls, space.open]).toEqual([['asleep'], null])
})
