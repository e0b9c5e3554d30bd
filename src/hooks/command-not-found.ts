import type { Hook } from '@oclif/core/hooks'
import { exitCodes } from '../cli/errors/exit-codes.ts'
import { reportFailure } from '../cli/errors/render-failure.ts'
import { command } from '../text/commands.ts'
import { findTopic, suggestCommand } from './suggest-command.ts'

/** An unknown command: what was probably meant, and where the list is. */
const commandNotFound: Hook.CommandNotFound = async ({ id, argv, config }) => {
  const typed = id.replaceAll(':', ' ')
  const ids = config.commands.filter(({ hidden }) => !hidden).map((each) => each.id.replaceAll(':', ' '))
  const helpMatch = /^help\b\s*(.*)$/.exec([typed, ...(argv ?? [])].join(' '))
  const begun = ids
    .filter((each) => typed.startsWith(`${each} `))
    .sort((one, other) => other.length - one.length)[0]
  const wanted = helpMatch?.[1] || typed
  const suggested = begun ?? suggestCommand(wanted, ids) ?? suggestCommand(namedCommand(wanted, ids), ids)
  const failure = {
    exitCode: exitCodes.usage,
    message: begun
      ? `tillbox ${begun} does not take ${typed.slice(begun.length + 1)}`
      : `There is no command ${namedCommand(typed, ids)}`,
    remedy: begun
      ? `${'amount' in (config.findCommand(begun.replaceAll(' ', ':'))?.flags ?? {}) ? 'Amounts and ids are flags, such as --amount 10.00. ' : ''}See ${command(begun, '--help')}`
      : typoRemedy(helpMatch !== null, suggested, findTopic(typed, ids)),
  }
  reportFailure(failure, process.argv.includes('--json'))
  process.exit(exitCodes.usage)
}

/** What was typed as far as it can be a name: the longest topic, and one word. */
function namedCommand(typed: string, ids: readonly string[]): string {
  const topic = findTopic(typed, ids)?.split(' ') ?? []
  return typed
    .split(' ')
    .slice(0, topic.length + 1)
    .join(' ')
}

function typoRemedy(asksForHelp: boolean, suggested: string | undefined, topic: string | undefined): string {
  if (asksForHelp) return suggested ? `Did you mean ${command('help', suggested)}?` : 'See `tillbox help`'
  const help = `See ${topic ? command(topic, '--help') : 'tillbox --help'}`
  return suggested ? `Did you mean ${command(suggested)}? ${help}` : help
}

export default commandNotFound
