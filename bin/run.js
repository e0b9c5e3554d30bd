#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { homedir, userInfo } from 'node:os'
import { isatty } from 'node:tty'

module.enableCompileCache?.() // Node 22 and later: keeps compiled code

// Node throws where a package asks for the home or the shell of a user without a passwd entry, as in a container. Empty, they
// are the same as none.
for (const [name, ask] of [
  ['HOME', homedir],
  ['SHELL', userInfo],
])
  try {
    if (process.env[name] === undefined) ask()
  } catch {
    process.env[name] = ''
  }

try {
  process.cwd()
} catch {
  process.stderr.write('✗ The working folder is gone\n  do      Change to a folder that exists\n')
  process.exit(2)
}

// A window that is closed is a terminal no more. Node restores the terminal when it ends, and where that fails with EIO it
// aborts with SIGABRT or SIGSEGV: ResetStdio, seen with 20.20.2, nodejs/node#51519; mended by #58200 in 24. A signal that
// ends the process passes that by, and SIGHUP (129) is what the window would have ended it with.
const windows = [0, 1, 2].filter((stream) => isatty(stream))
process.on('exit', () => {
  if (windows.every((stream) => isatty(stream))) return
  process.removeAllListeners('SIGHUP') // the system ends only who does not listen
  process.kill(process.pid, 'SIGHUP')
})

// A reader that has seen enough, such as `head`, is not an error: a command goes on to its own exit code, and one without an end
// ends by itself, see src/cli/interruption.ts. A disk that is full is an error, but none of ours: what was asked for may have been done.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') return
    if (error.code === 'EIO' && stream.isTTY) process.exit(129) // its window was closed, see above
    if (stream === process.stdout)
      process.stderr.write(
        `✗ Standard output cannot be written: ${error.message}\n  do      Make room, or send it elsewhere; what was asked for may have been done\n`,
      )
    process.exit(3)
  })

if (existsSync(new URL('../dist/cli/main.js', import.meta.url))) {
  const { run } = await import('../dist/cli/main.js')
  await run(import.meta.url)
} else {
  process.stderr.write('✗ tillbox is not built yet\n  do      Run npm ci in its folder, which builds it\n')
  process.exitCode = 2
}
