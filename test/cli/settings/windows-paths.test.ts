import { win32 } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

beforeAll(() => {
  vi.resetModules() // other files of this worker may have loaded them with the paths of this machine
  vi.doMock('node:path', () => ({ ...win32, default: win32 }))
})
afterAll(() => {
  vi.doUnmock('node:path')
  vi.resetModules()
})

/** Sets a property of the process for one test. */
function as(name: 'platform' | 'env', value: unknown) {
  const before = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
  Object.defineProperty(process, name, { ...before, value })
  onTestFinished(() => void Object.defineProperty(process, name, before))
}

test('settings of the user are in the folder of applications, or where XDG_CONFIG_HOME says', async () => {
  const { userFolder } = await import('../../../src/cli/settings/user-folder.ts')
  as('platform', 'win32')
  as('env', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' })
  expect(userFolder()).toBe('C:\\Users\\a\\AppData\\Roaming\\tillbox')
  as('env', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming', XDG_CONFIG_HOME: 'D:\\config' })
  expect(userFolder()).toBe('D:\\config\\tillbox')
})

test('the search for the settings of a project ends at the root of the drive', async () => {
  const { findProjectFile } = await import('../../../src/cli/settings/settings-files.ts')
  expect(findProjectFile('C:\\Users\\a\\shop')).toBeUndefined()
})
