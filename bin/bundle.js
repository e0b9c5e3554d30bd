// Bundles src/ into dist/: the command line with shared chunks, over the layout of src/, and the assets of the pages.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const assets = join(dist, 'assets')
const common = { absWorkingDir: root, bundle: true, logLevel: 'warning', write: false }

/** Writes what differs and removes what is left over, so that whatever runs from dist/ meanwhile is not disturbed. */
export async function bundle() {
  const built = await Promise.all([commandLine(), commonJs(), scripts(), styles()])
  const files = new Map(
    built.flatMap(({ outputFiles }) => outputFiles.map((file) => [file.path, file.contents])),
  )
  files.set(join(assets, 'icon.svg'), readFileSync(join(root, 'src/pages/styles/icon.svg')))
  for (const [path, contents] of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  for (const name of readdirSync(dist, { recursive: true }))
    if (/\.(c?js|css|svg)$/.test(name) && !files.has(join(dist, name))) rmSync(join(dist, name))
}

const commandLine = () =>
  build({
    ...common,
    entryPoints: [
      'src/index.ts',
      'src/vitest.ts',
      'src/jest.ts',
      'src/node-test.ts',
      'src/main.ts',
      'src/store/file/fold-worker.ts',
      'src/hooks/command-not-found.ts',
      'src/cli/help/help.ts',
      ...commands(),
    ],
    outbase: 'src',
    outdir: dist,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['vitest'],
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    legalComments: 'none',
    // @oclif/core is CommonJS and requires at run time.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })

/** The library for `require`: one file, and small ones over it for test runners. */
const commonJs = () =>
  build({
    ...common,
    entryPoints: ['src/index.ts', 'src/jest.ts', 'src/node-test.ts'],
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    legalComments: 'none',
    define: { 'import.meta.url': '__fileUrl' },
    banner: { js: "const __fileUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      {
        name: 'one-library',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: './index.cjs', external: true })),
      },
    ],
  })

const scripts = () =>
  build({
    ...common,
    entryPoints: {
      checkout: 'src/pages/browser/checkout.ts',
      dashboard: 'src/pages/browser/dashboard.ts',
      terminal: 'src/pages/browser/terminal/terminal.ts',
    },
    outdir: assets,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
  })

const styles = () =>
  build({
    ...common,
    entryPoints: ['src/pages/styles/style.css', 'src/pages/styles/terminal.css'],
    outdir: assets,
    minify: true,
  })

const commands = () =>
  readdirSync(join(root, 'src/commands'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/commands/${name}`)
