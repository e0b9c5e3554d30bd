#!/usr/bin/env node
// Builds dist/: one bundle with shared chunks, over the layout of src/, and the assets of the pages.
// With --manifest, also the command manifest.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const beside = `dist.${process.pid}`
process.once('exit', () => rmSync(beside, { recursive: true, force: true }))

await build({
  entryPoints: [
    'src/index.ts',
    'src/main.ts',
    'src/store/file/fold-worker.ts',
    'src/hooks/command-not-found.ts',
    ...commands(),
  ],
  outbase: 'src',
  outdir: beside,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  // @oclif/core is CommonJS and requires at run time.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

await build({
  entryPoints: {
    checkout: 'src/pages/browser/checkout.ts',
    dashboard: 'src/pages/browser/dashboard.ts',
    terminal: 'src/pages/browser/terminal/terminal.ts',
  },
  outdir: `${beside}/assets`,
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  logLevel: 'warning',
})
await build({
  entryPoints: ['src/pages/styles/style.css', 'src/pages/styles/terminal.css'],
  outdir: `${beside}/assets`,
  bundle: true,
  minify: true,
  logLevel: 'warning',
})
cpSync('src/pages/styles/icon.svg', `${beside}/assets/icon.svg`)

execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--outDir', `${beside}/types`],
  {
    stdio: 'inherit',
  },
)
rmSync('dist', { recursive: true, force: true })
renameSync(beside, 'dist')

if (process.argv.includes('--manifest')) await writeManifest()

/** Commands are found through the manifest; a test proves that it is what the commands say. */
async function writeManifest() {
  const { Plugin } = await import('@oclif/core/config')
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  const commands = Object.fromEntries(
    Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  writeFileSync('oclif.manifest.json', `${JSON.stringify({ ...plugin.manifest, commands }, null, 2)}\n`)
}

function commands() {
  return readdirSync('src/commands', { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/commands/${name}`)
}
