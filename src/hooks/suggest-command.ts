import { nearest } from '../text/suggest.ts'
import { destructive, opposites, plainWords } from './command-words.ts'

/**
 * The command that was probably meant: by a plain word for it, else the nearest name, within its topic where one was
 * typed. Never the opposite of what was typed, and never a command that deletes or ends something, unless a word says so.
 */
export function suggestCommand(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  const command = plainWords.get(word)
  if (command !== undefined && known.includes(command)) return command
  const topic = topicOf(word, known)
  const guess =
    topic === undefined
      ? nearest(word, known)
      : within(topic, nearest(word.slice(topic.length + 1), namesIn(topic, known)))
  return guess === undefined || destructive.has(guess) || areOpposite(word, guess) ? undefined : guess
}

/** The longest topic that was typed, with something behind it; undefined when there is none. */
export function topicOf(typed: string, known: readonly string[]): string | undefined {
  const words = typed.split(' ')
  const begun = words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '))
  return begun.findLast((topic) => namesIn(topic, known).length > 0)
}

const namesIn = (topic: string, known: readonly string[]): string[] =>
  known.filter((name) => name.startsWith(`${topic} `)).map((name) => name.slice(topic.length + 1))

const within = (topic: string, name: string | undefined): string | undefined => name && `${topic} ${name}`

function areOpposite(typed: string, guess: string): boolean {
  const [one, other] = [typed, guess].map((text) => text.split(' ').at(-1))
  return opposites.some((pair) => pair.includes(one ?? '') && pair.includes(other ?? '') && one !== other)
}
