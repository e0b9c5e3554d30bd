import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { type OpenSpace, Space } from '../../src/server/spaces/space.ts'
import { temporaryFolder } from '../support/service.ts'

/** A space in a folder of its own; `asleep` is called when it falls asleep. */
function newSpace(asleep: () => Promise<void>, opening: Promise<void> = Promise.resolve()) {
  const space = new Space(async (): Promise<OpenSpace> => {
    await opening
    const sandbox = await openSandbox({ state: temporaryFolder() })
    return { sandbox, handle: () => undefined, close: () => sandbox.close() }
  }, asleep)
  onTestFinished(() => space.close())
  return space
}

test('a space that is about to sleep stays awake for who comes meanwhile', async () => {
  let comes = () => {}
  const space = newSpace(async () => comes())
  await space.enter()
  let leave = () => {}
  comes = () => {
    leave = space.hold()
  }
  await space.closeIfIdle(0)
  expect(space.open).not.toBeNull()
  leave()
  comes = () => space.hold()() // and has gone again
  await space.closeIfIdle(1_000_000)
  expect(space.open).not.toBeNull()
  comes = () => {}
  await space.closeIfIdle(0)
  expect(space.open).toBeNull()
})

test('a space that is being opened when its node stops tells when it wants to be awake again', async () => {
  let opens = () => {}
  const opening = new Promise<void>((resolve) => {
    opens = resolve
  })
  const told: string[] = []
  const space = newSpace(async () => void told.push('asleep'), opening)
  const entered = space.enter()
  const sleeping = space.putToSleep()
  opens()
  await Promise.all([entered, sleeping])
  expect([told, space.open]).toEqual([['asleep'], null])
})
