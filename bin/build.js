#!/usr/bin/env node
// Builds dist/: the bundles and the types. With --manifest, also the command manifest.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle, writeCommandIndex } from './bundle.js'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

await bundle()
rmSync('dist/types', { recursive: true, force: true })
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--outDir', 'dist/types'],
  { stdio: 'inherit' },
)
if (process.argv.includes('--manifest')) await writeManifest()

/** Commands are found through the manifest; a test proves that it is what the commands say. */
async function writeManifest() {
  const { Plugin } = await import('@oclif/core/config')
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  const commands = Object.fromEntries(
    Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  // A command a line: every start reads all of it, and spaces take a third of the time.
  const lines = Object.entries(commands).map(
    ([id, command]) => `${JSON.stringify(id)}:${JSON.stringify(command)}`,
  )
  const { version } = plugin.manifest
  writeFileSync(
    'oclif.manifest.json',
    `{"version":${JSON.stringify(version)},"commands":{\n${lines.join(',\n')}\n}}\n`,
  )
  writeCommandIndex()
}
