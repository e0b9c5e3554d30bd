import { plainWords } from '../../shared/text/plain-words.ts'
import { nearest } from '../../shared/text/suggest.ts'

/**
 * The command that was probably meant: by a plain word for it, else the nearest name, within its topic where
 * one was typed.
 */
export function suggestCommand(typed: string, commands: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  const command = plainWords.get(word)
  if (command !== undefined && commands.includes(command)) return command
  const topic = findTopic(word, commands)
  if (topic === undefined) return withoutTopic(word, commands) ?? nearest(word, commands)
  const near = nearest(word.slice(topic.length + 1), namesIn(topic, commands))
  return near && `${topic} ${near}`
}

/** The one command whose topic was left out: `sandbox snapshot list` for `snapshot list`. */
function withoutTopic(typed: string, commands: readonly string[]): string | undefined {
  const ending = commands.filter(
    (name) => name.includes(' ') && `${typed} `.startsWith(`${name.slice(name.indexOf(' ') + 1)} `),
  )
  return ending.length === 1 ? ending[0] : undefined
}

/** The longest topic that was typed, with something behind it; undefined when there is none. */
export function findTopic(typed: string, commands: readonly string[]): string | undefined {
  const words = typed.split(' ')
  const begun = words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '))
  return begun.findLast((topic) => namesIn(topic, commands).length > 0)
}

const namesIn = (topic: string, commands: readonly string[]): string[] =>
  commands.filter((name) => name.startsWith(`${topic} `)).map((name) => name.slice(topic.length + 1))
