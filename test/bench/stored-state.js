// Folders with much stored, made once in a run and copied for each use.
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from './fill.js'
import { startServer } from './processes.js'

/** Returns functions that make folders below `root`. */
export function newStates(root) {
  const made = new Map()
  let [folders, today] = [0, undefined]
  const emptyState = () => join(root, `state-${folders++}`)

  /** A copy of a state with so many sales stored: its `folder`, id and order of the `oldest`, and `bytes` of its snapshot. */
  async function storedState(count) {
    if (!made.has(count)) made.set(count, await make(count))
    const { folder, ...about } = made.get(count)
    const copy = emptyState()
    cpSync(folder, copy, { recursive: true })
    return { folder: copy, ...about }
  }

  async function make(count) {
    process.stdout.write(`storing ${count} transactions…\n`)
    const folder = emptyState()
    const oldest = fill(folder, count)
    today ??= await formatOfToday()
    if (manifestOf(folder).format !== today) await rewrite(folder)
    return { folder, oldest, bytes: statSync(join(folder, manifestOf(folder).snapshot.name)).size }
  }

  /** The format in which this tillbox stores a state. */
  async function formatOfToday() {
    const folder = emptyState()
    await rewrite(folder)
    return manifestOf(folder).format
  }

  return { emptyState, storedState }
}

/** A sandbox that is started and stopped leaves its state in today's format. */
async function rewrite(folder) {
  const server = await startServer({ kind: 'sandbox', state: folder })
  await server.stop()
}

function manifestOf(folder) {
  const name = readdirSync(folder)
    .filter((file) => file.startsWith('manifest-'))
    .sort()
    .at(-1)
  return JSON.parse(readFileSync(join(folder, name), 'utf8')).data
}
