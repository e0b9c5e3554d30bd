// The processes that a run of the bench started: none outlives it.
const running = new Set()

/** Remembers a process until it ends; returns it. */
export function remembered(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends what still runs, because a part failed. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL')
}
