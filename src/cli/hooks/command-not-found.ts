import type { Hook } from '@oclif/core/hooks'
import { command } from '../../shared/text/commands.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { reportFailure } from '../errors/render-failure.ts'
import { findTopic, suggestCommand } from './suggest-command.ts'

/** An unknown command: what was probably meant, and where the list is. */
const commandNotFound: Hook.CommandNotFound = async ({ id, config }) => {
  const words = id.replaceAll(':', ' ')
  const typed = words.replace(/^help /, '')
  const ids = config.commands.filter(({ hidden }) => !hidden).map((each) => each.id.replaceAll(':', ' '))
  const begun = ids
    .filter((each) => typed.startsWith(`${each} `))
    .sort((one, other) => other.length - one.length)[0]
  const takesAmount = 'amount' in (config.findCommand(begun?.replaceAll(' ', ':') ?? '')?.flags ?? {})
  const failure =
    begun === undefined
      ? unknownCommand(typed, ids, typed === words ? '' : 'help ')
      : tooMany(typed, begun, takesAmount)
  reportFailure({ exitCode: exitCodes.usage, ...failure }, process.argv.includes('--json'))
  process.exit(exitCodes.usage)
}

const tooMany = (typed: string, begun: string, takesAmount: boolean) => ({
  message: `tillbox ${begun} does not take ${typed.slice(begun.length + 1)}`,
  remedy: `${takesAmount ? 'Amounts and ids are flags, such as --amount 10.00. ' : ''}See ${command(begun, '--help')}`,
})

/** `before`: what the suggestion begins with. */
function unknownCommand(typed: string, ids: readonly string[], before: string) {
  const named = namedCommand(typed, ids)
  const suggested = suggestCommand(typed, ids) ?? suggestCommand(named, ids)
  const topic = findTopic(typed, ids)
  const help = `See ${topic ? command(topic, '--help') : '`tillbox --help`'}`
  return {
    message: `There is no command ${named}`,
    remedy: suggested ? `Did you mean ${command(`${before}${suggested}`)}? ${help}` : help,
  }
}

/** What was typed as far as it can be a name: the longest topic, and one word. */
function namedCommand(typed: string, ids: readonly string[]): string {
  const topic = findTopic(typed, ids)?.split(' ') ?? []
  return typed
    .split(' ')
    .slice(0, topic.length + 1)
    .join(' ')
}

export default commandNotFound
