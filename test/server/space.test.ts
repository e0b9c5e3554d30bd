import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../src/server/sandbox/sandbox.ts'
import { type OpenSpace, Space } from '../../src/server/spaces/space.ts'
import { temporaryFolder } from '../support/service/service.ts'

/** A space in a folder of its own. */
function newSpace(opening: Promise<void>) {
  const space = new Space(async (): Promise<OpenSpace> => {
    await opening
    const sandbox = await openSandbox({ state: temporaryFolder() })
    return { sandbox, handle: () => undefined, close: () => sandbox.close() }
  })
  onTestFinished(() => space.close())
  return space
}

test('a space that is being opened when its node stops falls asleep after it has opened', async () => {
  let opens = () => {}
  const opening = new Promise<void>((resolve) => {
    opens = resolve
  })
  const space = newSpace(opening)
  const entered = space.enter()
  const sleeping = space.putToSleep()
  opens()
  await Promise.all([entered, sleeping])
  expect(space.open).toBe(null)
})
