#!/usr/bin/env node
// Builds dist/: the bundles. With --release, also the types of the library and the list of the packages inside (SBOM); with
// --manifest, the command manifest. With --if-older, only where the types are missing, or older than a source.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.js'
import { packagesOf } from './docs/notices.js'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

if (process.argv.includes('--if-older') && isNew('dist/index.d.ts')) process.exit()
process.stderr.write('Building tillbox …\n')
const sources = await bundle()
if (process.argv.includes('--release')) {
  await writeTypes()
  writeBillOfMaterials()
}
if (process.argv.includes('--manifest')) await writeManifest()

/** True for a file that no source is newer than. */
function isNew(file) {
  const time = existsSync(file) ? statSync(file).mtimeMs : 0
  return readdirSync('src', { recursive: true }).every((name) => statSync(`src/${name}`).mtimeMs < time)
}

/** Once for ES modules and once for `require`: TypeScript tells them apart by the name of the file. */
async function writeTypes() {
  const { generateDtsBundle } = await import('dts-bundle-generator')
  const [library] = generateDtsBundle(
    [
      {
        filePath: 'src/library/index.ts',
        libraries: { inlinedLibraries: ['valibot'] },
        output: { noBanner: true },
      },
    ],
    { preferredConfigPath: 'tsconfig.json' },
  )
  writeFileSync('dist/index.d.cts', library)
  writeFileSync('dist/index.d.ts', "export * from './index.cjs'\n")
  const runners = ['vitest', 'jest', 'node-test', 'playwright']
  execFileSync('npx', [
    'tsc',
    ...runners.map((name) => `src/library/${name}.ts`),
    ...['--ignoreConfig', '--noResolve', '--noCheck', '--declaration', '--emitDeclarationOnly'],
    ...['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions', '--outDir', 'dist'],
  ])
  for (const name of runners) {
    const text = readFileSync(`dist/${name}.d.ts`, 'utf8')
    writeFileSync(`dist/${name}.d.ts`, text.replaceAll('./index.ts', './index.js'))
    writeFileSync(`dist/${name}.d.cts`, text.replaceAll('./index.ts', './index.cjs'))
  }
}

/** What npm says of the packages whose code is in dist/, in the format of CycloneDX. */
function writeBillOfMaterials() {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const all = JSON.parse(execFileSync('npm', ['sbom', ...format], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  const inside = new Set(packagesOf([...sources.values()].flat()).map(nameAndVersion))
  const components = all.components.filter((component) => inside.has(component['bom-ref']))
  const refs = new Set([
    all.metadata.component['bom-ref'],
    ...components.map((component) => component['bom-ref']),
  ])
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify({ ...all, components, dependencies }, null, 1)}\n`)
}

function nameAndVersion(folder) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return `${name}@${version}`
}

/** Commands are found through the manifest; a test proves that it is what the commands say. One command a line. */
async function writeManifest() {
  const { Plugin } = await import('@oclif/core/config')
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  const { version, commands } = plugin.manifest
  const lines = Object.keys(commands)
    .sort()
    .map((id) => `${JSON.stringify(id)}:${JSON.stringify(commands[id])}`)
  writeFileSync(
    'oclif.manifest.json',
    `{"version":${JSON.stringify(version)},"commands":{\n${lines.join(',\n')}\n}}\n`,
  )
}
