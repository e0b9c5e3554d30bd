#!/usr/bin/env node
import module from 'node:module'

module.enableCompileCache?.()

// A reader that has seen enough, such as `head`, is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    throw error
  })

const { run } = await import('../dist/main.js')
await run(import.meta.url)
