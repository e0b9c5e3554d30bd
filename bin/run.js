#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

module.enableCompileCache?.()

// A reader that has seen enough, such as `head`, is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    throw error
  })

if (existsSync(new URL('../dist/main.js', import.meta.url))) {
  const { run } = await import('../dist/main.js')
  await run(import.meta.url)
} else {
  process.stderr.write('✗ tillbox is not built yet\n  do      Run npm run build in its folder\n')
  process.exitCode = 2
}
