// The command line of the bench.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `--peers` looks for them when no folder is named. */
const usualPeers = join(tmpdir(), 'tillbox-bench-peers')

/** The picture of docs/performance.md. */
const usualChart = fileURLToPath(new URL('../../docs/images/performance.svg', import.meta.url))

/**
 * `usual`: parts that run when none is named; `all`: every part. Returns `chosen` parts in their order, `quick`, and the
 * files `peers`, `chart`, `json`, each undefined where it was not asked for. Errors: Error for what is not known.
 */
export function optionsOf(args, { usual, all }) {
  const given = new Map()
  for (const [at, name] of args.entries()) {
    if (!name.startsWith('--')) continue
    const value = args[at + 1]
    given.set(name.slice(2), value === undefined || value.startsWith('--') ? '' : value)
  }
  const known = ['only', 'quick', 'peers', 'scale', 'spaces', 'shared', 'chart', 'json']
  const unknown = [...given.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`--${unknown} is unknown; the bench takes --${known.join(', --')}`)
  return {
    chosen: chosenParts(given, usual, all),
    quick: given.has('quick'),
    peers: given.get('peers') || usualPeers,
    chart: given.has('chart') ? given.get('chart') || usualChart : undefined,
    json: given.get('json'),
  }
}

/** The parts of `--only`, and those that have an option of their own; without any, the usual ones. */
function chosenParts(given, usual, all) {
  const named = given.get('only')?.split(',') ?? []
  const unknown = named.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new Error(`the bench has no part '${unknown}'; --only takes ${all.join(', ')}`)
  const chosen = [...named, ...['peers', 'scale', 'spaces', 'shared'].filter((name) => given.has(name))]
  return chosen.length === 0 ? usual : all.filter((name) => chosen.includes(name))
}
