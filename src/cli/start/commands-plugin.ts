import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import type { PJSON, Plugin } from '@oclif/core/interfaces'

type CachedCommands = Readonly<Record<string, Command.Cached>>

/** A command without what only its help and completion say. */
type IndexedCommand = Pick<Command.Cached, 'id' | 'relativePath'> & Partial<Command.Cached>

/**
 * Our commands as the plugin that oclif would look for. Every start reads an index built from the manifest; the
 * manifest itself, ten times as long, is read for flags and long texts, as in help.
 */
export function commandsPlugin(root: string): Plugin {
  const pjson = read<PJSON>(root, 'package.json')
  const index = read<Readonly<Record<string, IndexedCommand>>>(root, 'dist/command-index.json')
  const whole = (id: string): Command.Cached =>
    read<{ readonly commands: CachedCommands }>(root, 'oclif.manifest.json').commands[id] as Command.Cached
  const findCommand = async (id: string): Promise<Command.Class> => {
    const { relativePath = [] } = index[id] ?? {}
    const module = await import(join(root, ...relativePath))
    return Object.assign(module.default as Command.Class, { id, plugin })
  }
  const plugin: Plugin = {
    _base: pjson.name,
    alias: pjson.name,
    commandIDs: Object.keys(index),
    commands: Object.values(index).map((command) => loadable(command, whole, findCommand)),
    commandsDir: undefined,
    findCommand,
    hasManifest: true,
    hooks: Object.fromEntries(
      Object.entries(pjson.oclif.hooks ?? {}).map(([event, target]) => [
        event,
        [{ identifier: 'default', target: String(target) }],
      ]),
    ),
    isRoot: true,
    load: async () => undefined,
    moduleType: 'module',
    name: pjson.name,
    options: { root, isRoot: true },
    pjson,
    root,
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    type: 'core',
    valid: true,
    version: pjson.version,
  }
  return plugin
}

/**
 * The command with its other members behind getters; a command with aliases is complete in the index, because oclif
 * copies it.
 */
const loadable = (
  command: IndexedCommand,
  whole: (id: string) => Command.Cached,
  findCommand: (id: string) => Promise<Command.Class>,
): Command.Loadable => {
  const { id } = command
  const load = () => findCommand(id)
  if ('flags' in command) return { ...command, load } as Command.Loadable
  return {
    ...command,
    load,
    get description() {
      return whole(id).description
    },
    get examples() {
      return whole(id).examples
    },
    get flags() {
      return whole(id).flags
    },
  } as Command.Loadable
}

const files = new Map<string, unknown>()

/** A JSON file of the package, which does not change while a process runs. */
function read<T>(root: string, name: string): T {
  const path = join(root, name)
  if (!files.has(path)) files.set(path, JSON.parse(readFileSync(path, 'utf8')))
  return files.get(path) as T
}
