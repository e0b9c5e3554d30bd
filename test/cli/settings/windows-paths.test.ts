import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findProjectFile } from '../../../src/cli/settings/settings-files.ts'
import { userFolder } from '../../../src/cli/settings/user-folder.ts'

vi.mock('node:path', async (original) => (await original<typeof import('node:path')>()).win32)

/** Sets a property of the process for one test. */
function as(name: 'platform' | 'env', value: unknown) {
  const before = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
  Object.defineProperty(process, name, { ...before, value })
  onTestFinished(() => void Object.defineProperty(process, name, before))
}

describe('with the paths of Windows', () => {
  test('settings of the user are in the folder of applications, or where XDG_CONFIG_HOME says', () => {
    as('platform', 'win32')
    as('env', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' })
    expect(userFolder()).toBe('C:\\Users\\a\\AppData\\Roaming\\tillbox')
    as('env', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming', XDG_CONFIG_HOME: 'D:\\config' })
    expect(userFolder()).toBe('D:\\config\\tillbox')
  })

  test('the search for the settings of a project ends at the root of the drive', () => {
    expect(findProjectFile('C:\\Users\\a\\shop')).toBeUndefined()
  })
})
