import { clean } from '../output/clean.ts'
import { type DescribedInput, type ValueSource, valueSourceOf } from './value-source.ts'

/** What shells complete: topics, commands, their flags and arguments. */
export interface CommandTree {
  readonly version: string
  /** What may follow a topic, by the words of the topic; '' is the beginning. */
  readonly topics: ReadonlyMap<string, readonly Proposal[]>
  readonly commands: readonly CompletedCommand[]
}

/** A possible next word, and its description. */
interface Proposal {
  readonly word: string
  readonly summary: string
}

export interface CompletedCommand {
  /** As typed, such as `sandbox start`. */
  readonly name: string
  readonly flags: readonly CompletedFlag[]
  readonly args: readonly CompletedArgument[]
}

export interface CompletedFlag {
  /** With dashes, such as `--yes` and `-y`. */
  readonly names: readonly string[]
  readonly summary: string
  readonly multiple: boolean
  /** Undefined for one without a value. */
  readonly value: ValueSource | undefined
}

interface CompletedArgument {
  readonly name: string
  readonly value: ValueSource
}

/** A flag as the manifest has it. */
interface ManifestFlag extends DescribedInput {
  readonly type: 'boolean' | 'option'
  readonly char?: string | undefined
  readonly summary?: string | undefined
  readonly description?: string | undefined
  readonly hidden?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly allowNo?: boolean | undefined
}

/** The parts of oclif's manifest that are read. */
export interface CommandManifest {
  readonly version: string
  readonly topics: readonly { readonly name: string; readonly description?: string | undefined }[]
  readonly commands: readonly {
    readonly id: string
    readonly hidden: boolean
    readonly summary?: string | undefined
    readonly flags: Readonly<Record<string, ManifestFlag>>
    readonly args: Readonly<Record<string, DescribedInput>>
  }[]
}

/** The commands that are not hidden, in the order of their names. */
export function commandTree({ version, topics, commands }: CommandManifest): CommandTree {
  const shown = commands
    .filter(({ hidden }) => !hidden)
    .map((command) => ({ ...command, name: command.id.replaceAll(':', ' ') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const summaries = new Map([
    ...topics.map(({ name, description }) => [name.replaceAll(':', ' '), description] as const),
    ...shown.map(({ name, summary }) => [name, summary] as const),
  ])
  return {
    version,
    topics: topicsOf(
      shown.map(({ name }) => name),
      (name) => inShort(summaries.get(name)),
    ),
    commands: shown.map(({ name, flags, args }) => ({
      name,
      flags: [...Object.values(flags).flatMap((flag) => flagsOf(name, flag)), helpFlag],
      args: Object.values(args).map((each) => ({ name: each.name, value: valueSourceOf(name, each) })),
    })),
  }
}

const helpFlag: CompletedFlag = {
  names: ['--help'],
  summary: 'Show help',
  multiple: false,
  value: undefined,
}

function topicsOf(names: readonly string[], summaryOf: (name: string) => string): Map<string, Proposal[]> {
  const topics = new Map<string, Proposal[]>()
  const seen = new Set<string>()
  for (const name of names) {
    const words = name.split(' ')
    words.forEach((word, index) => {
      const whole = words.slice(0, index + 1).join(' ')
      if (seen.has(whole)) return
      seen.add(whole)
      const topic = words.slice(0, index).join(' ')
      topics.set(topic, [...(topics.get(topic) ?? []), { word, summary: summaryOf(whole) }])
    })
  }
  return topics
}

/** The flag, and its negation. */
function flagsOf(command: string, flag: ManifestFlag): CompletedFlag[] {
  const { name, char, type, hidden, multiple = false, allowNo } = flag
  if (hidden) return []
  const summary = inShort(flag.summary ?? flag.description)
  const names = [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]
  const value = type === 'option' ? valueSourceOf(command, flag) : undefined
  const denied = { names: [`--no-${name}`], summary: `Not: ${summary}`, multiple: false, value: undefined }
  return [{ names, summary, multiple, value }, ...(allowNo ? [denied] : [])]
}

/** Characters of a summary at most: a shell shows it beside the word. */
const longest = 90

/** The first sentence, without what explains it further. */
function inShort(text = ''): string {
  const [first = ''] = clean(text).split(/(?<=[.;]) |: | \(/)
  const short = first.replace(/[.;:]$/, '')
  return short.length <= longest ? short : `${short.slice(0, longest - 1).trimEnd()}…`
}
