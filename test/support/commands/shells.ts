import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { binary } from './binary.ts'
import { closedPort, runCommand } from './command.ts'
import { scratchFolder } from './scratch.ts'

export const shellNames = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shellNames)[number]

/** A shell that has loaded the completion script of this version. */
interface CompletingShell {
  /** What it proposes when Tab is pressed at the end of a line. One line at a time. */
  readonly proposals: (line: string) => Promise<string[]>
}

/** Starts a shell in a folder, with tillbox on its PATH. It is ended at the end of the test. */
export async function completingShell(shell: ShellName, cwd: string): Promise<CompletingShell> {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'bin'))
  symlinkSync(binary, join(folder, 'bin/tillbox'))
  const script = join(folder, 'completion')
  writeFileSync(script, (await runCommand(['completion', shell])).stdout)
  const env = {
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: cwd,
    TERM: 'xterm',
    TILLBOX_COMPLETION_WAIT: '60s',
    TILLBOX_PORT: closedPort,
  }
  const [program, ...args] = shellCommand(shell, script)
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    proposals: async (line) => {
      child.stdin.write(`${requestFor(shell, line)}\n`)
      const proposed: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`${shell} ended before it answered "${line}"`)
        if (value === 'ANSWERED') return proposed
        const [name] = value.split('\t')
        if (name) proposed.push(name)
      }
    },
  }
}

function shellCommand(shell: ShellName, script: string): [string, ...string[]] {
  switch (shell) {
    case 'bash':
      return ['bash', '--norc', '-c', bashLoop, script]
    case 'zsh':
      return ['zsh', '-f', zshLoop, script, join(dirname(script), 'zcompdump')]
    case 'fish':
      return ['fish', '--no-config', '-c', fishLoop, script]
  }
}

/** A line as the loop of a shell reads it. */
const requestFor = (shell: ShellName, line: string): string => (shell === 'bash' ? wordsOf(line) : `${line}|`)

const bashLoop = `
source "$0"
while IFS= read -r words; do
  eval "COMP_WORDS=($words)"
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _tillbox </dev/null
  printf '%s\\n' "\${COMPREPLY[@]}" ANSWERED
done`

const zshLoop = fileURLToPath(new URL('zsh-proposals.zsh', import.meta.url))

const fishLoop = `
source $argv[1]
while read line
  complete -C (string sub --end -1 -- $line) </dev/null
  echo ANSWERED
end`

/** The words of a line as readline splits them, at spaces and around : and =, quoted. */
function wordsOf(line: string): string {
  const words = line.match(/[:=]+|[^\s:=]+/g) ?? []
  return [...words, ...(line.endsWith(' ') ? [''] : [])].map((word) => `'${word}'`).join(' ')
}
