// Bundles src/ and the packages that it uses, unchanged, into dist/: one graph of ES modules for the command line and the
// library, the library once more for `require`, and the assets of the pages.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'lightningcss'
import { build } from 'rolldown'
import { compile } from 'tailwindcss'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/**
 * Writes what differs and removes what is left over, so that whatever runs from dist/ meanwhile is not disturbed. Returns
 * what each file was made from: names in dist/, and paths in this folder.
 */
export async function bundle() {
  const files = new Map(
    (await Promise.all([modules(), ...required(), scripts(), themeScript(), assets(), ...styles()])).flat(),
  )
  for (const [name, { contents }] of files) write(join(dist, name), contents)
  for (const name of readdirSync(dist, { recursive: true }))
    if (/\.(c?js|css|svg|woff2|new)$/.test(name) && !files.has(name)) rmSync(join(dist, name))
  return new Map([...files].map(([name, { sources }]) => [name, sources]))
}

/** A process that starts meanwhile reads the old file or the new one, never a part of it. */
function write(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, contents)
  renameSync(`${path}.new`, path)
}

const node = {
  cwd: root,
  platform: 'node',
  tsconfig: true,
  external: ['vitest', '@playwright/test', 'pg-native', 'typescript'],
  transform: { target: 'node20.19' },
}

/** Errors of the library are told apart by class, and loggers and test runners print the name of the class. */
const keepNames = { class: true, function: false }
const keepClassNames = { compress: { keepNames }, mangle: { keepNames } }

/** The files of a build by their names in dist/. `folder`: where they are, '' for dist/ itself. */
async function built(options, output, folder = '') {
  const { output: files } = await build({ ...options, write: false, output: { minify: true, ...output } })
  return files.map(({ fileName, code, modules }) => [
    join(folder, fileName),
    { contents: Buffer.from(code), sources: sourcesIn(modules) },
  ])
}

const sourcesIn = (modules) =>
  Object.entries(modules)
    .filter(([path, { renderedLength }]) => renderedLength > 0 && path.startsWith(root))
    .map(([path]) => relative(root, path))

const named = (paths) =>
  Object.fromEntries(paths.map((path) => [path.replace(/^src\/(library\/)?|\.ts$/g, ''), path]))

/** The command line and the library: what they share is in chunks, so each class is there once. */
const modules = () =>
  built(
    {
      ...node,
      input: named([
        'src/cli/main.ts',
        'src/cli/hooks/command-not-found.ts',
        'src/cli/help/help.ts',
        'src/server/server.ts', // the bench and the long tests start servers with them
        'src/server/cluster/start-node.ts',
        'src/agents/answer-mcp.ts', // the library for `require` loads it, too
        ...commands(),
        ...['index', 'vitest', 'jest', 'node-test', 'playwright'].map((name) => `src/library/${name}.ts`),
      ]),
    },
    {
      minify: keepClassNames,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups },
    },
  )

/** What nearly every command loads, in a few files: Node takes longer to find a module than to evaluate it. */
const groups = [
  { name: 'oclif', test: /node_modules.@oclif./, priority: 3 },
  { name: 'help', test: /src.cli.(help|output.theme)|node_modules.chalk/, priority: 2 },
  { name: 'command', test: /.src.|valibot/, minShareCount: 20, priority: 1 }, // entry files are commands
]

const commands = () =>
  readdirSync(join(root, 'src/cli/commands'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/cli/commands/${name}`)

/**
 * The library for `require`, in one file, and the small files over it: jest loads no ES modules unless Node is told so. MCP
 * stays the module that it is: its SDK is as large as the rest, and only an agent needs it.
 */
const required = () =>
  ['index', 'jest', 'node-test', 'playwright'].map((name) =>
    built(
      {
        ...node,
        input: named([`src/library/${name}.ts`]),
        external:
          name === 'index' ? [...node.external, './answer-mcp.ts'] : ['./index.ts', '@playwright/test'],
      },
      {
        minify: keepClassNames,
        format: 'cjs',
        entryFileNames: '[name].cjs',
        codeSplitting: false,
        paths: (id) =>
          id.endsWith('/index.ts')
            ? './index.cjs'
            : id.endsWith('/answer-mcp.ts')
              ? './agents/answer-mcp.js'
              : id,
      },
    ),
  )

const browser = {
  cwd: root,
  platform: 'browser',
  transform: { target: 'es2022' },
  checks: { eval: false }, // htmx has one for attributes that no page writes, and the policy of the pages forbids it
}

/** Modules: what the dashboard and the terminal share is one file. */
const scripts = () =>
  built(
    {
      ...browser,
      input: {
        checkout: 'src/pages/browser/checkout.ts',
        dashboard: 'src/pages/browser/dashboard/dashboard.ts',
        terminal: 'src/pages/browser/terminal/terminal.ts',
      },
    },
    { entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
    'assets',
  )

/** It runs before a page is drawn; a module would wait. */
const themeScript = () =>
  built(
    { ...browser, input: { theme: 'src/pages/browser/theme-switch.ts' } },
    { format: 'iife', entryFileNames: '[name].js' },
    'assets',
  )

function assets() {
  const font = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  return [
    ['inter.woff2', { contents: readFileSync(join(root, font)), sources: [font] }],
    ['icon.svg', { contents: readFileSync(join(root, 'src/pages/styles/icon.svg')), sources: [] }],
  ].map(([name, file]) => [join('assets', name), file])
}

/** The style sheets: what is written, and those of Tailwind's utilities that a page names. */
const styles = () =>
  ['style.css', 'terminal.css'].map(async (name) => {
    const sources = []
    const loadStylesheet = async (id, base) => {
      const path = id.startsWith('.') ? join(base, id) : join(root, 'node_modules', id)
      sources.push(relative(root, path))
      return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
    }
    const base = join(root, 'src/pages/styles')
    const sheet = await compile(readFileSync(join(base, name), 'utf8'), { base, loadStylesheet })
    const code = Buffer.from(sheet.build(wordsOfPages()))
    const contents = Buffer.from(transform({ filename: name, code, minify: true }).code)
    return [[join('assets', name), { contents, sources }]]
  })

/** Every word of the pages and their scripts: Tailwind knows which of them are classes. */
const wordsOfPages = () => {
  const folder = join(root, 'src/pages')
  const files = readdirSync(folder, { recursive: true }).filter((name) => /\.tsx?$/.test(name))
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/[\s"'`]+/))
}
