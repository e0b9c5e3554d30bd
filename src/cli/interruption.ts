/** A controller that aborts when the process is asked to end; `more`: signals beside SIGINT and SIGTERM. */
export function onInterruption(...more: readonly NodeJS.Signals[]): AbortController {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', ...more]) process.once(signal, () => ended.abort())
  return ended
}
