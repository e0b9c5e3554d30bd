import { UsageError } from '../errors/exit-codes.ts'

/** Variables as lines that a POSIX shell reads: `export NAME='value'`. */
export const exportLines = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${checked(name, value).replaceAll("'", "'\\''")}'\n`)
    .join('')

function checked(name: string, value: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return value
  throw new UsageError(
    `${name} has a control character, and cannot be passed to a shell`,
    'Check what answers at the base URL: `tillbox doctor`',
  )
}
