import type { Hook } from '@oclif/core/hooks'
import { exitCodes } from '../cli/errors/exit-codes.ts'
import { reportFailure } from '../cli/errors/render-failure.ts'
import { nearest } from '../text/suggest.ts'

/** An unknown command: what was probably meant, and where the list is. */
const commandNotFound: Hook.CommandNotFound = async ({ id, argv, config }) => {
  const typed = id.replaceAll(':', ' ')
  const ids = config.commandIDs.map((known) => known.replaceAll(':', ' '))
  const asked = /^help\b\s*(.*)$/.exec([typed, ...(argv ?? [])].join(' '))
  const begun = ids
    .filter((known) => typed.startsWith(`${known} `))
    .sort((one, other) => other.length - one.length)[0]
  const meant = begun ?? nearest(asked?.[1] || typed, ids)
  const failure = {
    exitCode: exitCodes.usage,
    message: begun
      ? `tillbox ${begun} does not take ${typed.slice(begun.length + 1)}`
      : `There is no command ${typed}`,
    remedy: begun
      ? `${takesAmount(config.findCommand(begun.replaceAll(' ', ':'))?.flags) ? 'Amounts and ids are flags, such as --amount 10.00. ' : ''}See tillbox ${begun} --help`
      : remedyOf(asked !== null, meant),
  }
  reportFailure(failure, process.argv.includes('--json'))
  process.exit(exitCodes.usage)
}

const takesAmount = (flags: object = {}): boolean => 'amount' in flags

function remedyOf(asksForHelp: boolean, meant: string | undefined): string {
  if (asksForHelp) return `Help is a flag: tillbox ${meant ? `${meant} ` : ''}--help`
  return meant ? `Did you mean tillbox ${meant}? See tillbox --help` : 'See tillbox --help'
}

export default commandNotFound
