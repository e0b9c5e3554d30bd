/** The time of day of this machine: `12:38:29`. */
export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/**
 * A time as cards and tables show it: `2026-11-20 12:38:29`, in the time zone of the merchant as the service tells it. One
 * that is told in another, as the sandbox clock is, says so: `2026-11-20 12:38:29 UTC`.
 */
export const timeText = (time: string): string => {
  const [, day, clock, zone = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(.*)$/.exec(time) ?? []
  if (day === undefined) return time
  return `${day} ${clock}${zone === '' ? '' : ` ${zone === 'Z' || zone === '+00:00' ? 'UTC' : zone}`}`
}
