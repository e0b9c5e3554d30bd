#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

module.enableCompileCache?.()

// A reader that has seen enough, such as `head`, is no error; a disk that is full is, but none of ours.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    if (stream === process.stdout)
      process.stderr.write(
        `✗ Standard output cannot be written: ${error.message}\n  do      Make room, or send it elsewhere; what was asked for may have been done\n`,
      )
    process.exit(2)
  })

if (existsSync(new URL('../dist/main.js', import.meta.url))) {
  const { run } = await import('../dist/main.js')
  await run(import.meta.url)
} else {
  process.stderr.write('✗ tillbox is not built yet\n  do      Run npm run build in its folder\n')
  process.exitCode = 2
}
