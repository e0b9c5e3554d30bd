#!/usr/bin/env node
// Builds dist/: the bundles. With --types, also the types of the library; with --manifest, the command manifest.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle, writeCommandIndex } from './bundle.js'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

await bundle()
if (process.argv.includes('--types')) await writeTypes()
if (process.argv.includes('--manifest')) await writeManifest()

/** Once for ES modules and once for `require`: TypeScript tells them apart by the name of the file. */
async function writeTypes() {
  const { declarations, moduleDeclarations, runnerDeclarations } = await import('./declarations.js')
  writeFileSync('dist/index.d.cts', declarations(root))
  writeFileSync('dist/index.d.ts', moduleDeclarations)
  for (const [extension, module] of [
    ['.d.ts', './index.js'],
    ['.d.cts', './index.cjs'],
  ])
    for (const runner of ['vitest', 'jest', 'node-test'])
      writeFileSync(`dist/${runner}${extension}`, runnerDeclarations(root, runner, module))
}

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
