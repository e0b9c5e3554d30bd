/** The possible values of flags and arguments, as far as their names determine them. */

/** Kinds of names that only a running sandbox, or this user's settings, can list. */
export type NameKind =
  | 'terminals'
  | 'outcomes'
  | 'cards'
  | 'profiles'
  | 'transactions'
  | 'triggers'
  | 'checkpoints'
  | 'tokens'

/** The source of values for a flag or an argument. `text`: nothing can be proposed. */
export type ValueSource =
  | { readonly from: 'words'; readonly words: readonly string[] }
  | { readonly from: 'names'; readonly kind: NameKind }
  | { readonly from: 'files' }
  | { readonly from: 'folders' }
  | { readonly from: 'text' }

/** A flag with a value, or an argument, as the manifest describes it. */
export interface DescribedInput {
  readonly name: string
  readonly options?: readonly string[] | undefined
  /** The value as help shows it, such as `<path>`. */
  readonly helpValue?: string | readonly string[] | undefined
}

/** Names that list one kind wherever they are used. */
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
  'sandbox checkpoint': 'checkpoints',
  token: 'tokens',
}

const folders: ReadonlySet<string> = new Set(['state', 'artifacts', 'dir'])
const files: ReadonlySet<string> = new Set(['record', 'recording-or-id', 'file', 'input', 'path'])

/** Where its values come from. `command`: `profile show`. */
export function valueSourceOf(command: string, { name, options, helpValue }: DescribedInput): ValueSource {
  if (options !== undefined && options.length > 0) return { from: 'words', words: options }
  const topic = command.split(' ').slice(0, -1).join(' ')
  const kind = kindsByName[name] ?? (name === 'name' ? kindsByTopic[topic] : undefined)
  if (kind !== undefined) return { from: 'names', kind }
  if (folders.has(name) || /<(folder|dir)/.test(String(helpValue))) return { from: 'folders' }
  if (files.has(name) || /<(path|file)/.test(String(helpValue))) return { from: 'files' }
  return { from: 'text' }
}
