import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binary, sharedCache } from './binary.ts'
import { runCommand } from './command.ts'
import { scratchFolder } from './scratch.ts'

export const shellNames = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shellNames)[number]

/** A shell that has loaded the completion script of this version. */
export interface CompletingShell {
  /** What it proposes when Tab is pressed at the end of a line. */
  readonly proposals: (line: string) => Promise<string[]>
}

const capture = fileURLToPath(new URL('zsh-proposals.zsh', import.meta.url))

/** zsh's list of its own completions, for all shells: collecting it takes longer than all else. */
const dump = join(sharedCache.XDG_CACHE_HOME, 'zcompdump')

/** A shell in a folder, with tillbox on its PATH. */
export async function completingShell(shell: ShellName, cwd: string, home = cwd): Promise<CompletingShell> {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'bin'))
  symlinkSync(binary, join(folder, 'bin/tillbox'))
  const script = join(folder, 'completion')
  writeFileSync(script, (await runCommand(['completion', shell])).stdout)
  const env = {
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: home,
    ...sharedCache,
    TERM: 'xterm',
    TILLBOX_COMPLETION_WAIT: '60s',
  }
  return {
    proposals: async (line) => {
      const child = spawn(...commandOf(shell, script, line, dump), {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      await once(child, 'close')
      return said
        .split('\n')
        .map((each) => each.split('\t')[0] ?? '')
        .filter(Boolean)
    },
  }
}

function commandOf(shell: ShellName, script: string, line: string, dump: string): [string, string[]] {
  switch (shell) {
    case 'bash': {
      const read = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tillbox; printf '%s\\n' "\${COMPREPLY[@]}"`
      return ['bash', ['--norc', '-c', read, script, ...wordsAsBash(line)]]
    }
    case 'zsh':
      return ['zsh', ['-f', capture, script, line, dump]]
    case 'fish':
      return ['fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line]]
  }
}

/** The words of a line as readline splits them: at spaces, and around : and =. */
function wordsAsBash(line: string): string[] {
  const words = line.match(/[:=]+|[^\s:=]+/g) ?? []
  return line.endsWith(' ') ? [...words, ''] : words
}
