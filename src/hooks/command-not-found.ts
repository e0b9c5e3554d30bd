import type { Hook } from '@oclif/core/hooks'
import { nearest } from '../api/suggest.ts'
import { exitCodes } from '../cli/exit-codes.ts'
import { renderFailure } from '../cli/render/failure.ts'

/** An unknown command: what was probably meant, and where the list is. */
const commandNotFound: Hook.CommandNotFound = async ({ id, config }) => {
  const typed = id.replaceAll(':', ' ')
  const meant = nearest(
    typed,
    config.commandIDs.map((known) => known.replaceAll(':', ' ')),
  )
  const help = 'See tillbox --help'
  process.stderr.write(
    renderFailure({
      exitCode: exitCodes.usage,
      message: `There is no command ${typed}`,
      remedy: meant ? `Did you mean tillbox ${meant}? ${help}` : help,
    }),
  )
  process.exit(exitCodes.usage)
}

export default commandNotFound
