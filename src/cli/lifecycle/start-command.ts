import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Options of Node whose value is the word after them. */
const withValue = new Set([
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions'],
  ...['--env-file', '--title', '--icu-data-dir', '--openssl-config'],
])

/**
 * True for the command line of Node that runs `tillbox sandbox start`, and for no other that has these words. `folder`:
 * where the process runs, for a script that is named from there.
 */
export function isStartCommand([node = '', ...words]: readonly string[], folder: string): boolean {
  if (!/^node(js)?[\d.]*(\.exe)?$/.test(basename(node))) return false
  let at = 0
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) at += withValue.has(word) ? 2 : 1
  const [script = '', first, second] = words.slice(at)
  return (
    isOurs(resolve(folder, script)) && (first === 'sandbox:start' || `${first} ${second}` === 'sandbox start')
  )
}

/** True for the script of a tillbox, of this installation or another one. */
function isOurs(script: string): boolean {
  try {
    const real = realpathSync(script)
    const { name } = JSON.parse(readFileSync(join(dirname(real), '../package.json'), 'utf8'))
    return name === 'tillbox' && basename(dirname(real)) === 'bin'
  } catch {
    return false // it is gone, or belongs to no package
  }
}
