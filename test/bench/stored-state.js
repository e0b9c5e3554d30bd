// Folders with much stored, made once in a run and copied for each use.
import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from './fill.js'

/** Returns functions that make folders below `root`. */
export function newStates(root) {
  const made = new Map()
  let folders = 0
  const emptyState = () => join(root, `state-${folders++}`)

  /** A copy of a state with so many sales stored: its `folder`, id and order of the `oldest`, and `bytes` of its state.json. */
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
    return { folder, oldest, bytes: statSync(join(folder, 'state.json')).size }
  }

  return { emptyState, storedState }
}
