import { Plugin } from '@oclif/core/config'
import { expect, test } from 'vitest'
import { commandsPlugin } from '../../../src/cli/start/commands-plugin.ts'
import { packageRoot } from '../../../src/package-root.ts'

/** Whatever it holds, without what the two plugins call by different names. */
const plain = (commands: readonly object[]): unknown => JSON.parse(JSON.stringify(commands))

test('the plugin has the commands, hooks and topics that oclif would find, in the same order', async () => {
  const plugin = new Plugin({ root: packageRoot, isRoot: true })
  await plugin.load()
  const given = commandsPlugin(packageRoot)
  expect(plain(given.commands)).toEqual(plain(plugin.commands))
  expect(given.commandIDs).toEqual(plugin.commands.map(({ id }) => id))
  expect(given.hooks).toEqual(plugin.hooks)
  expect(given.topics).toEqual(plugin.topics)
  const { alias, name, version, root, type, isRoot, moduleType, pjson, valid } = plugin
  expect(given).toMatchObject({ alias, name, version, root, type, isRoot, moduleType, valid })
  expect(given.pjson.oclif.helpOptions).toEqual(pjson.oclif.helpOptions)
})

test('a command is loaded with its id and its plugin', async () => {
  const plugin = commandsPlugin(packageRoot)
  const command = await plugin.commands.find(({ id }) => id === 'sandbox:key:list')?.load()
  expect(command?.id).toBe('sandbox:key:list')
  expect(command?.plugin).toBe(plugin)
})
