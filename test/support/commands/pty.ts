import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { binary } from './binary.ts'
import type { CommandTerminal } from './command.ts'
import { type CommandLine, wordsOf } from './command-line.ts'
import { scratchFolder } from './scratch.ts'
import { screenLines } from './terminal-text.ts'

/** A window in which the binary runs. */
export interface PtyWindow extends CommandTerminal {
  /** The lines that it shows. */
  lines(): string[]
  /** Resolves when the window shows the text. */
  until(pattern: RegExp): Promise<void>
  /** Process of the binary itself. */
  pid(): number
  /** Closes the window as a person does; resolves to what a shell says that the binary ended with, 129 for SIGHUP. */
  close(): Promise<number>
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Runs the binary in a pseudo terminal of that size, by `script` of util-linux. Afterwards the mode of the line is told. */
export function openPty(
  line: CommandLine,
  { cwd, columns = 80, rows = 24, env = {} }: { cwd: string; columns?: number; rows?: number; env?: object },
): PtyWindow {
  const command = [process.execPath, binary, ...wordsOf(line)].map(quoted).join(' ')
  const status = join(scratchFolder(), 'status')
  const shell = `trap : HUP; stty cols ${columns} rows ${rows}; ${command} & echo pid=$!; fg >/dev/null; code=$?; echo $code >${quoted(status)}; stty -a; exit $code`
  const child = spawn('script', ['-qefc', `bash -mc ${quoted(shell)}`, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      TERM: 'xterm-256color',
      SHELL: '/bin/bash',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const pid = () => Number(/pid=(\d+)/.exec(written)?.[1])
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM') // the binary is told that its window is gone
    await ended
  })
  return {
    written: () => written,
    lines: () => screenLines(written),
    type: (keys) => child.stdin.write(keys),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) =>
          reject(new Error(`${why} before ${pattern}:\n${screenLines(written).join('\n')}`))
        const late = setTimeout(() => fail('a minute was over'), 60_000)
        const look = () => {
          if (!pattern.test(screenLines(written).join('\n'))) return
          clearTimeout(late)
          child.stdout.off('data', look)
          resolve()
        }
        child.stdout.on('data', look)
        ended.then(() => fail('the window closed'), reject)
        look()
      }),
    ended,
    pid,
    close: async () => {
      child.kill('SIGKILL') // with its holder the window is gone
      await expect.poll(() => (existsSync(status) ? readFileSync(status, 'utf8') : '')).toMatch(/\d+\n/)
      return Number(readFileSync(status, 'utf8'))
    },
  }
}
