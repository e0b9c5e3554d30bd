import type { ParserOutput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/exit-codes.ts'
import { envFileFlag } from '../hints/same-sandbox.ts'

/** Flags and arguments that are paths. */
export const pathInputs: ReadonlySet<string> = new Set([
  'state',
  'input',
  'artifacts',
  'fixtures',
  'import',
  'export-on-exit',
  'record',
  'file',
  'report-file',
  'recording',
  'orders',
  'compare',
  'history',
  'output',
  'trigger',
  envFileFlag,
])

/** Flags that choose where requests go, for whom, or where the state is: an empty one is refused. */
const addresses = new Set([
  'base-url',
  'store',
  'profile',
  'space',
  'app-id',
  'application',
  'merchant-id',
  'merchant',
  'terminal',
])

/** Checks what was typed. */
export function requirePaths(typed: ParserOutput['raw']): void {
  for (const token of typed) {
    const [name, shown] =
      token.type === 'flag' ? [token.flag, `--${token.flag}`] : [token.arg, `<${token.arg}>`]
    if (addresses.has(name) && token.input === '')
      throw new UsageError([shown, 'is empty'], 'Leave it out, or give it a value; is a variable unset?')
    if (pathInputs.has(name)) requirePath(token.input, shown, name)
  }
}

/** Refuses an empty path, `-` where only a file is taken, and a `~` that no shell has replaced. */
export function requirePath(path: string, typed: string, field: string): void {
  if (path === '')
    throw new UsageError(`${typed} is empty`, 'Name a path, such as ./name; is a variable unset?', field)
  if (path === '-' && field !== 'input')
    throw new UsageError(
      `${typed} - is no standard input or output here`,
      'Name a file; one of that name is ./-',
      field,
    )
  if (path.startsWith('~/'))
    throw new UsageError(
      `${typed} ${path} begins with ~, which only a shell replaces, and only after a space`,
      'Write a space in place of =, or the whole path',
      field,
    )
}
