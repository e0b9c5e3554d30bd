const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/**
 * A time ahead in words, in milliseconds UTC: `+2 h`, `in 30 min`, `2h`, `tomorrow`, `tomorrow 9:00`,
 * `monday`, `noon`, `18:30`, `next week`. A day without a time is at the present time of day; a time of day
 * that is over is that of tomorrow, but of `today` none. Undefined for anything else. `now`: milliseconds.
 */
export function typedTime(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase()
  const [, count, unit] =
    /^(?:in |\+)? ?(\d{1,5}) ?(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)$/.exec(words) ?? []
  if (count !== undefined) return now + Number(count) * (units[unit?.[0] ?? ''] as number) * 1000
  const [, day = '', time] =
    /^(today|tomorrow|next week|(?:next )?(?:sun|mon|tues|wednes|thurs|fri|satur)day)?(?:(?:^| )(?:at )?(noon|midnight|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d))?$/.exec(
      words,
    ) ?? []
  if (day === '' && time === undefined) return undefined
  const ofDay = time === undefined ? now % dayLength : timeOfDay(time)
  if (ofDay === undefined) return undefined
  const at = now - (now % dayLength) + daysAhead(day, now) * dayLength + ofDay
  if (at <= now && day === 'today') return undefined
  return at > now ? at : at + dayLength
}

const dayLength = 86_400_000

function daysAhead(day: string, now: number): number {
  if (day === '' || day === 'today') return 0
  if (day === 'tomorrow') return 1
  const named = days.indexOf(day.replace('next ', ''))
  return named < 0 ? 7 : (named - new Date(now).getUTCDay() + 7) % 7 || 7
}

/** `9:00`, `9 am` or `noon`, in milliseconds since midnight; undefined for a time that no clock shows. */
function timeOfDay(text: string): number | undefined {
  if (text === 'noon') return dayLength / 2
  if (text === 'midnight') return 0
  const [, hour = '', minute = '0', half] = /^(\d+)(?::(\d+))? ?(am|pm)?$/.exec(text) ?? []
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  const isShown = Number(minute) < 60 && hours < 24 && (half === undefined || Number(hour) <= 12)
  return isShown ? (hours * 60 + Number(minute)) * 60_000 : undefined
}
