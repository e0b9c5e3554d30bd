/** Why a text is not JSON, and where: line and column from 1. */
export interface JsonFault {
  readonly reason: string
  readonly line: number
  readonly column: number
}

/** What is wrong with a text that `JSON.parse` refused with that error. */
export function jsonFault(text: string, { message }: Error): JsonFault {
  const sound = text.slice(0, brokenAt(text)).trimEnd().split('\n')
  return {
    reason: message.replace(/ in JSON at position.*$|, (\.\.\.)?".*$/s, ''),
    line: sound.length,
    column: Math.max(sound.at(-1)?.length ?? 0, 1),
  }
}

/** How much of the text could still become JSON. Errors of JSON.parse name a position only sometimes. */
function brokenAt(text: string): number {
  let [sound, broken] = [0, text.length]
  while (broken - sound > 1) {
    const middle = (sound + broken) >>> 1
    if (isBroken(text.slice(0, middle))) broken = middle
    else sound = middle
  }
  return broken
}

/** True for a text that cannot become JSON by going on. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { message } = error as Error
    const [, position] = /at position (\d+)/.exec(message) ?? []
    return position === undefined ? !/end of JSON/.test(message) : Number(position) < text.length
  }
}
