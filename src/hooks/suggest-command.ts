import { nearest } from '../text/suggest.ts'
import { plainWords } from './command-words.ts'

/**
 * The command that was probably meant: by a plain word for it, else the nearest name, within its topic where one was
 * typed.
 */
export function suggestCommand(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  const command = plainWords.get(word)
  if (command !== undefined && known.includes(command)) return command
  const topic = topicOf(word, known)
  if (topic === undefined) return nearest(word, known)
  const near = nearest(word.slice(topic.length + 1), namesIn(topic, known))
  return near && `${topic} ${near}`
}

/** The longest topic that was typed, with something behind it; undefined when there is none. */
export function topicOf(typed: string, known: readonly string[]): string | undefined {
  const words = typed.split(' ')
  const begun = words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '))
  return begun.findLast((topic) => namesIn(topic, known).length > 0)
}

const namesIn = (topic: string, known: readonly string[]): string[] =>
  known.filter((name) => name.startsWith(`${topic} `)).map((name) => name.slice(topic.length + 1))
