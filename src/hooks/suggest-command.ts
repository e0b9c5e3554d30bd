import { nearest } from '../text/suggest.ts'

/**
 * The command that was probably meant: by a plain word for it, else the nearest name, within its topic where one was
 * typed.
 */
export function suggestCommand(typed: string, commands: readonly string[]): string | undefined {
  const word = typed.toLowerCase()
  const command = plainWords.get(word)
  if (command !== undefined && commands.includes(command)) return command
  const topic = findTopic(word, commands)
  if (topic === undefined) return nearest(word, commands)
  const near = nearest(word.slice(topic.length + 1), namesIn(topic, commands))
  return near && `${topic} ${near}`
}

/** The longest topic that was typed, with something behind it; undefined when there is none. */
export function findTopic(typed: string, commands: readonly string[]): string | undefined {
  const words = typed.split(' ')
  const begun = words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '))
  return begun.findLast((topic) => namesIn(topic, commands).length > 0)
}

const namesIn = (topic: string, commands: readonly string[]): string[] =>
  commands.filter((name) => name.startsWith(`${topic} `)).map((name) => name.slice(topic.length + 1))

/** Commands by what people call them who do not know their names here. */
const words: Readonly<Record<string, string>> = {
  'sandbox start': 'start, serve, run, up',
  'sandbox stop': 'stop, down',
  'sandbox restart': 'restart',
  'sandbox status': 'status, info, ps',
  'sandbox open': 'open, dashboard, ui',
  'sandbox reset': 'reset, clear',
  'sandbox clock': 'clock, time',
  'sandbox fault': 'fault, faults',
  sale: 'charge, pay, payment, purchase',
  auth: 'authorize, authorise, preauth',
  'post-auth': 'capture',
  void: 'reverse, undo',
  abort: 'cancel',
  query: 'show, get, find, lookup',
  list: 'payments, transactions, orders',
  'batch list': 'batches',
  'batch close': 'settle',
  'terminal list': 'terminals, devices',
  'terminal present': 'tap, insert, swipe',
  'checkout create': 'session, checkout open',
  listen: 'webhook listen, forward',
  'webhook list': 'webhooks, deliveries, events',
  'webhook hold': 'webhook pause',
  'webhook resend': 'resend, redeliver, webhook retry',
  'logs tail': 'requests, tail, logs list',
  'profile set': 'login',
  whoami: 'config',
  'token list': 'tokens',
  'sandbox key list': 'keys',
}

/** Plain words, and the command that each means. */
export const plainWords: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([command, all]) => all.split(', ').map((word) => [word, command] as const)),
)
