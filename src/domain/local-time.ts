const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format
}

/** `yyyy-MM-ddTHH:mm:ss` in that time zone, without offset. spec: Transaction record, createTime */
export const localDateTime = (at: number, timeZone: string): string =>
  timeZone === 'UTC'
    ? new Date(at).toISOString().slice(0, 19)
    : formatOf(timeZone).format(at).replace(' ', 'T')

/** `yyyy-MM-dd` in that time zone. */
export const localDate = (at: number, timeZone: string): string => localDateTime(at, timeZone).slice(0, 10)
