// Bundles src/ into dist/: the command line with shared chunks, over the layout of src/, and the assets of the pages.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import subset from 'subset-font'
import {
  exportsOf,
  fewChunks,
  lateResponse,
  leanClient,
  leanOclif,
  plainBuiltins,
  serverSide,
} from './bundle-plugins.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const assets = join(dist, 'assets')
const common = { absWorkingDir: root, bundle: true, logLevel: 'warning', metafile: true, write: false }

const builds = () =>
  Promise.all([
    commandLine(),
    loader(),
    server(),
    ...apart.map(largePackage),
    runners(),
    requiredRunners(),
    scripts(),
    themeScript(),
    styles(),
    font(),
  ])

/** What each file of dist/ was made from: names in dist/, and paths in this folder. */
export async function sourcesOfFiles() {
  return sourcesIn(await builds())
}

function sourcesIn(built) {
  const outputs = built.flatMap(({ metafile }) => Object.entries(metafile.outputs))
  return new Map(
    outputs.map(([path, { inputs }]) => [
      relative('dist', path),
      Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
    ]),
  )
}

/**
 * Writes what differs and removes what is left over, so that whatever runs from dist/ meanwhile is not disturbed. Returns what
 * each file was made from, as `sourcesOfFiles` does.
 */
export async function bundle() {
  const built = await builds()
  const files = new Map(
    built.flatMap(({ outputFiles }) => outputFiles.map(({ path, contents }) => [path, contents])),
  )
  files.set(loaderPath, withBuild(files))
  files.set(join(assets, 'icon.svg'), readFileSync(join(root, 'src/pages/styles/icon.svg')))
  for (const [path, contents] of files) write(path, contents)
  writeLibrary()
  writeCommandIndex()
  for (const name of readdirSync(dist, { recursive: true }))
    if (/\.(c?js|css|svg|woff2)$/.test(name) && !/^index\.c?js$/.test(name) && !files.has(join(dist, name)))
      rmSync(join(dist, name))
  return sourcesIn(built)
}

function write(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}

const loaderPath = join(dist, 'load.cjs')

/** The loader with a name for all that it may load: compiled code of another build never counts. */
function withBuild(files) {
  const hash = createHash('sha256')
  for (const [path, contents] of files)
    if (path.endsWith('.cjs')) hash.update(path.slice(dist.length)).update(contents)
  const text = Buffer.from(files.get(loaderPath)).toString()
  return Buffer.from(text.replace('BUILD_NAME', hash.digest('hex').slice(0, 12)))
}

/** Writes what every start needs to know of the commands: the manifest without long texts and flags, in oclif's order. */
export function writeCommandIndex() {
  write(join(dist, 'command-index.json'), commandIndex())
}

function commandIndex() {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const indexed = Object.values(commands)
    .sort((one, other) => one.id.localeCompare(other.id))
    .map((command) => [command.id, isCopied(command) ? command : withoutTexts(command)])
  return Buffer.from(JSON.stringify(Object.fromEntries(indexed)))
}

const isCopied = ({ aliases, hiddenAliases }) => aliases.length + hiddenAliases.length > 0

const withoutTexts = ({ description, examples, flags, ...command }) => command

const node = {
  ...common,
  outbase: 'src',
  outdir: dist,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
}

/** esbuild shares chunks among ES modules only; CommonJS starts faster, and its compiled code can be kept. */
async function commandLine() {
  const built = await commandModules()
  const outputFiles = built.outputFiles.map(async ({ path, text }) => ({
    path,
    contents: await asCommonJs(text),
  }))
  return { ...built, outputFiles: await Promise.all(outputFiles) }
}

async function asCommonJs(text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: node.target,
    supported: { 'dynamic-import': false },
  })
  const short = await transform(withShortHelpers(code), { format: 'cjs', target: node.target, minify: true })
  const isStrict = "'use strict';" // as ES modules are
  return Buffer.from(`${isStrict}${text.includes(fileUrl.name) ? fileUrl.line : ''}${short.code}`)
}

/** esbuild writes half a kilobyte of helpers into each file, for modules of any kind; ours are of one kind, or of Node. */
function withShortHelpers(code) {
  const rest = code.replace(/^(?:var __\w+ = (?:.*;|[\s\S]*?\n[})]+;)\n)*/, '')
  if (rest.includes('__copyProps'))
    throw new Error('esbuild has other helpers for CommonJS than are known here')
  const used = Object.keys(shortHelpers).filter((name) => rest.includes(`${name}(`))
  return [...used.map((name) => `var ${name} = ${shortHelpers[name]};`), rest].join('\n')
}

const shortHelpers = {
  __export:
    '(target, all) => { for (var name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true }) }',
  __toCommonJS: "(module) => Object.defineProperty(module, '__esModule', { value: true })",
  __toESM: '(module) => module.__esModule ? module : Object.create(module, { default: { value: module } })',
}

/** CommonJS has no import.meta.url. */
const fileUrl = {
  name: '__fileUrl',
  line: "const __fileUrl = require('node:url').pathToFileURL(__filename).href;",
}

/** What the binary starts with. */
const loader = () =>
  build({
    ...required,
    stdin: {
      resolveDir: join(root, 'src'),
      sourcefile: 'load.js',
      contents:
        "import { loadMain } from './cli/start/load.ts'\nexport const main = () => loadMain(__dirname, 'BUILD_NAME')",
    },
    entryNames: 'load',
    plugins: [plainBuiltins],
  })

const commandModules = () =>
  build({
    ...node,
    entryPoints: ['src/main.ts', 'src/hooks/command-not-found.ts', 'src/cli/help/help.ts', ...commands()],
    splitting: true,
    minifyIdentifiers: true,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [fewChunks, leanOclif, plainBuiltins],
    define: { 'import.meta.url': fileUrl.name },
  })

const browser = { ...common, outdir: assets, platform: 'browser', target: 'es2022', minify: true }

/** Small files over the library find it beside themselves. */
const besideLibrary = (path) => ({
  name: 'beside-library',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path, external: true })),
})

/** With short names, or the package would go beyond 1 MB. */
const required = { ...node, minifyIdentifiers: true, format: 'cjs', outExtension: { '.js': '.cjs' } }

/** Large packages that few need, each in a file of its own: short, and read only by who needs it. */
const apart = ['pg', 'selfsigned', 'yaml']

/** What is used of a package, where that is not all. */
const partsOf = {
  pg: "module.exports = { Client: require('pg/lib/client') }",
  yaml: "export * from './src/fixture-files/yaml.ts'",
}

/** For Node, yaml has CommonJS alone, of which nothing can be left out: 5 kB more packed. */
const esModules = { yaml: './node_modules/yaml/browser/dist/index.js' }

const largePackage = (name) =>
  build({
    ...required,
    stdin: { resolveDir: root, contents: partsOf[name] ?? `module.exports = require('${name}')` },
    plugins: [leanClient],
    alias: esModules,
    entryNames: `apart/${name}`,
    mainFields: ['module', 'main'], // the ES modules of a package, where it has them: what nobody uses is left out
    minify: true,
  })

/** The server side finds them beside itself. */
const besideServer = {
  name: 'beside-server',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^(${apart.join('|')})$`) }, ({ path }) => ({
      path: `./apart/${path}.cjs`,
      external: true,
    })),
}

/** The server side in one file: the library, and what commands load of it. */
const server = () =>
  build({
    ...required,
    stdin: {
      resolveDir: join(root, 'src'),
      sourcefile: 'server.js',
      contents: [
        "export * as library from './index.ts'",
        ...serverSide.map(
          (name) => `export { ${exportsOf(join(root, 'src', name)).join(', ')} } from './${name}'`,
        ),
      ].join('\n'),
    },
    outExtension: { '.js': '.cjs' },
    entryNames: 'server',
    plugins: [besideServer, lateResponse],
    supported: { 'dynamic-import': false }, // jest has no import() unless Node is told so
    define: { 'import.meta.url': fileUrl.name },
    banner: { js: fileUrl.line },
  })

/** Small files over it for test runners, as ES modules and for `require`. */
const runners = () =>
  build({
    ...node,
    entryPoints: ['src/vitest.ts', 'src/jest.ts', 'src/node-test.ts'],
    external: ['vitest'],
    plugins: [besideLibrary('./index.js')],
  })
const requiredRunners = () =>
  build({
    ...required,
    entryPoints: ['src/jest.ts', 'src/node-test.ts'],
    plugins: [besideLibrary('./index.cjs')],
  })

/** Once for `require` and once as an ES module, over the same: its errors are of one class however it was loaded. */
function writeLibrary() {
  const { library } = createRequire(import.meta.url)(join(dist, 'server.cjs'))
  const names = Object.keys(library).join(', ')
  write(
    join(dist, 'index.cjs'),
    Buffer.from(
      `const { library } = require('./server.cjs')\nconst { ${names} } = library\n\nmodule.exports = { ${names} }\n`,
    ),
  )
  write(
    join(dist, 'index.js'),
    Buffer.from(`import library from './index.cjs'\n\nexport const { ${names} } = library\n`),
  )
}

/** Modules: what the dashboard and the terminal share is one file. */
const scripts = () =>
  build({
    ...browser,
    entryPoints: {
      checkout: 'src/pages/browser/checkout.ts',
      dashboard: 'src/pages/browser/dashboard/dashboard.ts',
      terminal: 'src/pages/browser/terminal/terminal.ts',
    },
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
  })

/** It runs before a page is drawn; a module would wait. */
const themeScript = () =>
  build({ ...browser, entryPoints: { theme: 'src/pages/browser/theme-switch.ts' }, format: 'iife' })

const styles = () =>
  build({
    ...common,
    entryPoints: ['src/pages/styles/style.css', 'src/pages/styles/terminal.css'],
    external: ['*.woff2'],
    outdir: assets,
    minify: true,
  })

/** Inter with the letters that the pages write, from regular to bold; texts in other scripts get a font of the system. */
async function font() {
  const source = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  const letters = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
  const contents = await subset(
    readFileSync(join(root, source)),
    `${letters}\u00a0ÄÅÆÇÉÈÊËÍÎÑÓÖØÜßàáâäåæçèéêëíîïñòóôöøùúûü§©°·×–—‘’“”…•€£¥¢→←↑↓−⌘`,
    { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700 } } },
  )
  const path = join(assets, 'inter.woff2')
  const inputs = { [source]: { bytesInOutput: contents.length } }
  return {
    metafile: { outputs: { 'dist/assets/inter.woff2': { inputs } } },
    outputFiles: [{ path, text: '', contents }],
  }
}

const commands = () =>
  readdirSync(join(root, 'src/commands'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/commands/${name}`)
