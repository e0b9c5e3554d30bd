import type { Command, Interfaces } from '@oclif/core'
import { clean } from '../output/clean.ts'

type KnownCommands = Pick<Interfaces.Config, 'commands' | 'topics'>

/** A word that may be typed next, and its description. */
export interface Proposal {
  readonly word: string
  readonly what: string
}

interface Completion {
  readonly words: readonly Proposal[]
  /** Where values are from that are not in oclif's data; they come after `prefix`. */
  readonly source?: ValueSource
  /** The beginning of the current word that belongs to no value: `--state=`. */
  readonly prefix: string
}

/** What can follow the typed words, of which the last one is not finished. */
export function completionOf(typed: readonly string[], config: KnownCommands): Completion {
  const shown = config.commands
    .filter(({ hidden }) => !hidden)
    .map((each) => ({ ...each, name: each.id.replaceAll(':', ' ') }))
  const [before, current = ''] = [typed.slice(0, -1), typed.at(-1)]
  const begins = (words: readonly string[]) =>
    shown.some(({ name }) => `${name} `.startsWith(`${words.join(' ')} `))
  const length = before.findIndex((_, index) => !begins(before.slice(0, index + 1)))
  const [topic, rest] = length < 0 ? [before, []] : [before.slice(0, length), before.slice(length)]
  const name = topic.join(' ')
  const command = shown.find((each) => each.name === name)
  const flags = Object.values(command?.flags ?? {}).filter(({ hidden }) => !hidden)
  const valueAfter = (word: string): ValueSource | undefined => {
    const flag = flags.find((each) => word === `--${each.name}` || word === `-${each.char}`)
    return flag?.type === 'option' ? valueSourceOf(name, flag) : undefined
  }
  const { awaited, place } = positionAfter(rest, valueAfter)
  if (awaited !== undefined) return completionFrom(awaited)
  if (rest.includes('--')) return completionFrom(argumentAt(place))
  const [flag = '', value] = current.split(/=(.*)/s)
  if (current.startsWith('--') && value !== undefined) return completionFrom(valueAfter(flag), `${flag}=`)
  if (current.startsWith('-'))
    return {
      words:
        command === undefined ? [] : [...flags.flatMap(flagWords), { word: '--help', what: 'Show help' }],
      prefix: '',
    }
  const { words, ...values } = completionFrom(argumentAt(place))
  return { ...values, words: [...(rest.length === 0 ? nextWords(name, shown, config) : []), ...words] }

  function argumentAt(index: number): ValueSource | undefined {
    const argument = Object.values(command?.args ?? {})[index]
    return argument && valueSourceOf(name, argument)
  }
}

/** The value that the last word of a command line waits for, or the place of the next argument. */
function positionAfter(
  words: readonly string[],
  valueAfter: (word: string) => ValueSource | undefined,
): { readonly awaited: ValueSource | undefined; readonly place: number } {
  let awaited: ValueSource | undefined
  let place = 0
  let hasEnded = false
  for (const word of words) {
    if (awaited !== undefined) awaited = undefined
    else if (word === '--') hasEnded = true
    else if (hasEnded || !word.startsWith('-')) place += 1
    else awaited = valueAfter(word)
  }
  return { awaited, place }
}

const completionFrom = (source: ValueSource | undefined, prefix = ''): Completion => {
  if (source?.from !== 'words') return { words: [], prefix, ...(source && { source }) }
  return { words: source.words.map((word) => ({ word, what: '' })), prefix }
}

function nextWords(
  topic: string,
  commands: readonly { readonly name: string; readonly summary?: string | undefined }[],
  { topics }: KnownCommands,
): Proposal[] {
  const start = topic === '' ? '' : `${topic} `
  const below = commands.filter(({ name }) => name.startsWith(start) && name !== topic)
  const words = new Set(below.map(({ name }) => name.slice(start.length).split(' ')[0] ?? ''))
  return [...words].map((word) => {
    const name = start + word
    const summary = commands.find((each) => each.name === name)?.summary
    return { word, what: inShort(summary ?? topics.find((each) => each.name === name)?.description) }
  })
}

function flagWords(flag: Command.Flag.Any): Proposal[] {
  const { name, char } = flag
  const what = inShort(flag.summary ?? flag.description)
  const allowNo = flag.type === 'boolean' && flag.allowNo
  return [
    { word: `--${name}`, what },
    ...(char === undefined ? [] : [{ word: `-${char}`, what }]),
    ...(allowNo ? [{ word: `--no-${name}`, what: `Not: ${what}` }] : []),
  ]
}

/** Characters of a description at most: a shell shows it beside the word. */
const longest = 90

/** The first sentence, without what explains it further. */
function inShort(text = ''): string {
  const [first = ''] = clean(text).split(/(?<=[.;]) |: | \(/)
  const short = first.replace(/[.;:]$/, '')
  return short.length <= longest ? short : `${short.slice(0, longest - 1).trimEnd()}…`
}

/** Kinds of names that only a running sandbox, or this user's settings, can list. */
export type NameKind =
  | 'terminals'
  | 'outcomes'
  | 'cards'
  | 'profiles'
  | 'transactions'
  | 'triggers'
  | 'snapshots'
  | 'tokens'

/** The source of values for a flag or an argument. `text`: nothing can be proposed. */
type ValueSource =
  | { readonly from: 'words'; readonly words: readonly string[] }
  | { readonly from: 'names'; readonly kind: NameKind }
  | { readonly from: 'files' }
  | { readonly from: 'folders' }
  | { readonly from: 'text' }

const kindsByName: Readonly<Record<string, NameKind>> = {
  terminal: 'terminals',
  serial: 'terminals',
  'terminal-or-transaction': 'terminals',
  outcome: 'outcomes',
  card: 'cards',
  profile: 'profiles',
  transaction: 'transactions',
  'transaction-id': 'transactions',
  trigger: 'triggers',
}

/** The kind of names for an argument `name`, by the topic of its command. */
const kindsByTopic: Readonly<Record<string, NameKind>> = {
  profile: 'profiles',
  'sandbox snapshot': 'snapshots',
  token: 'tokens',
}

const folders: ReadonlySet<string> = new Set(['state', 'artifacts'])
const files: ReadonlySet<string> = new Set(['record', 'recording-or-id', 'file', 'input'])

/** Where its values come from. `command`: `profile show`. */
function valueSourceOf(command: string, input: Command.Flag.Any | Command.Arg.Any): ValueSource {
  const { name } = input
  const options = 'options' in input ? (input.options ?? []) : []
  const helpValue = 'helpValue' in input ? String(input.helpValue) : ''
  if (options.length > 0) return { from: 'words', words: options }
  const topic = command.split(' ').slice(0, -1).join(' ')
  const kind = kindsByName[name] ?? (name === 'name' ? kindsByTopic[topic] : undefined)
  if (kind !== undefined) return { from: 'names', kind }
  if (folders.has(name) || /<(folder|dir)/.test(helpValue)) return { from: 'folders' }
  if (files.has(name) || /<(path|file)/.test(helpValue)) return { from: 'files' }
  return { from: 'text' }
}
