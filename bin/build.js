#!/usr/bin/env node
// Builds dist/: one bundle with shared chunks, over the layout of src/. Then the command manifest.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
rmSync('dist', { recursive: true, force: true })

await build({
  entryPoints: [
    'src/index.ts',
    'src/main.ts',
    'src/sandbox/store/compact.ts',
    'src/hooks/command-not-found.ts',
    ...commands(),
  ],
  outbase: 'src',
  outdir: 'dist',
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

if (!process.argv.includes('--no-manifest'))
  execFileSync(process.execPath, ['node_modules/oclif/bin/run.js', 'manifest'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

function commands() {
  return readdirSync('src/commands', { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/commands/${name}`)
}
