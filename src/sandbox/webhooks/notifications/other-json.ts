import { isObject } from '../../../shared/is-object.ts'

/**
 * A JSON text as libraries of other languages may write it: members in another order, blanks, `10.0` for 10,
 * escaped slashes and letters. It has the same value: a receiver that signs what it reads anew sees a
 * difference, and one whose whole numbers take no fraction.
 */
export const otherJson = (text: string): string => write(JSON.parse(text))

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (isObject(value)) {
    const members = Object.entries(value).reverse()
    return `{${members.map(([name, each]) => `${write(name)}: ${write(each)}`).join(', ')}}`
  }
  return typeof value === 'number' && Number.isInteger(value)
    ? value.toFixed(1)
    : escaped(JSON.stringify(value))
}

const escaped = (text: string): string =>
  text
    .replaceAll('/', '\\/')
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
