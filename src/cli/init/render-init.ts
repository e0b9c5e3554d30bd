import { cleanLines } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { type Theme, theme } from '../output/theme.ts'
import {
  type FileState,
  isInstalled,
  type PlannedFile,
  packageManagerOf,
  packageToAdd,
  readPackageJson,
} from './project.ts'

/** Everything that would be written, in full. */
export function renderFiles(files: readonly PlannedFile[]): string {
  return files
    .filter(({ state }) => state !== 'unchanged' && state !== 'left-out')
    .map(
      ({ path, text }) =>
        `${theme.strong(path)}\n${cleanLines(text.trimEnd()).replace(/^(?=.)/gm, '  ')}\n\n`,
    )
    .join('')
}

const words: Readonly<Record<Exclude<FileState, 'left-out'>, readonly [done: string, planned: string]>> = {
  created: ['written', 'new'],
  replaced: ['replaced', 'would be replaced'],
  extended: ['added to', 'would be added to'],
  unchanged: ['already there', 'already there'],
  kept: [
    'kept: the file there differs; --force replaces it',
    'stays: the file there differs; --force replaces it',
  ],
}

/** A line for each file: its state, or its planned state. */
export function renderStates(files: readonly PlannedFile[], isDone: boolean, look = theme): string {
  const rows = files.map(({ path, state, why }) => [
    fileMark(state, look),
    path,
    look.faint(state === 'left-out' ? `left out: ${why}` : words[state][isDone ? 0 : 1]),
  ])
  return `${columns(['', 'file', ''], rows, [], look)}\n`
}

function fileMark(state: FileState, { open, faint, good }: Theme): string {
  if (state === 'kept' || state === 'left-out') return open('!')
  return state === 'unchanged' ? faint('=') : good('+')
}

/** What to do next, as lines. */
export function renderNext(folder: string, steps: readonly string[]): string {
  const isThere = readPackageJson(folder)?.names.includes('tillbox') || isInstalled(folder)
  const all = [...(isThere ? [] : [`${packageManagerOf(folder).add} -D ${packageToAdd()}`]), ...steps]
  return `\n${theme.strong('Next')}\n${all.map((line) => `  ${line}\n`).join('')}`
}
