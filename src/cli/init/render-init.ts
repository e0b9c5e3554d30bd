import { cleanLines } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import {
  type FileState,
  type Framework,
  isInstalled,
  type PlannedFile,
  packageOf,
  packagesOf,
  type TemplatePart,
  type TestRunner,
  testCommands,
} from './project.ts'

/** Everything that would be written, in full. */
export function renderFiles(files: readonly PlannedFile[]): string {
  const theme = themeOf('stdout')
  return files
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path, text }) => `${theme.strong(path)}\n${indented(cleanLines(text.trimEnd()))}\n\n`)
    .join('')
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const words: Readonly<Record<FileState, readonly [done: string, planned: string]>> = {
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
export function renderStates(
  files: readonly PlannedFile[],
  isDone: boolean,
  stream: 'stdout' | 'stderr',
): string {
  const theme = themeOf(stream)
  const rows = files.map(({ path, state }) => [
    symbolOf(state, theme),
    path,
    theme.faint(words[state][isDone ? 0 : 1]),
  ])
  return `${columns(['', 'file', ''], rows, theme)}\n`
}

function symbolOf(state: FileState, theme: Theme): string {
  if (state === 'kept') return theme.open('!')
  return state === 'unchanged' ? theme.faint('=') : theme.good('+')
}

/** What to do next, as commands. */
export function renderNext(
  folder: string,
  parts: readonly TemplatePart[],
  framework: Framework,
  runner: TestRunner,
): string {
  const theme = themeOf('stdout')
  const known = packageOf(folder)?.names ?? []
  const missing = parts.includes('webhook')
    ? packagesOf[framework].filter((name) => !known.includes(name))
    : []
  const own = known.includes('tillbox') || isInstalled(folder) ? [] : ['npm install --save-dev tillbox']
  const server = missing.length === 0 ? [] : [`npm install ${missing.join(' ')}`]
  const tests = parts.includes('webhook') || parts.includes('smoke') ? [testCommands[runner]] : []
  const handler = parts.includes('webhook')
    ? [
        'npx tillbox sandbox start --notify-url http://127.0.0.1:3000/webhooks   # in another window',
        'TILLBOX_WEBHOOK_SECRET=$(npx tillbox webhook secret) node tillbox/webhook.mjs   # in another',
        'npx tillbox doctor',
      ]
    : ['npx tillbox sandbox start']
  const lines = [...own, ...server, ...tests, ...handler].map((line) => `  ${line}\n`)
  return `\n${theme.strong('Next')}\n${lines.join('')}`
}
