import type { Hook } from '@oclif/core/hooks'
import { nearest } from '../api/suggest.ts'
import { exitCodes } from '../cli/exit-codes.ts'
import { renderFailure } from '../cli/render/failure.ts'

/** An unknown command: what was probably meant, and where the list is. */
const commandNotFound: Hook.CommandNotFound = async ({ id, argv, config }) => {
  const typed = id.replaceAll(':', ' ')
  const ids = config.commandIDs.map((known) => known.replaceAll(':', ' '))
  const asked = /^help\b\s*(.*)$/.exec([typed, ...(argv ?? [])].join(' '))
  const meant = nearest(asked?.[1] || typed, ids)
  const failure = {
    exitCode: exitCodes.usage,
    message: `There is no command ${typed}`,
    remedy: remedyOf(asked !== null, meant),
  }
  process.stderr.write(renderFailure(failure))
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: failure }, null, 2)}\n`)
  process.exit(exitCodes.usage)
}

function remedyOf(asksForHelp: boolean, meant: string | undefined): string {
  if (asksForHelp) return `Help is a flag: tillbox ${meant ? `${meant} ` : ''}--help`
  return meant ? `Did you mean tillbox ${meant}? See tillbox --help` : 'See tillbox --help'
}

export default commandNotFound
