/** How many turns of the event loop go by while something is done. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}
