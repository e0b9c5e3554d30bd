/** Groups of the help, in its order: what a person wants to do, and the commands and topics that do it. */
const helpGroups: readonly (readonly [title: string, names: readonly string[]])[] = [
  // Also every other command of one word, so new operations are included. Loading their table would slow down the start.
  ['payments', ['sale', 'list', 'query', 'batch', 'api']],
  ['online', ['checkout']],
  ['terminals', ['terminal', 'merchant']],
  ['webhooks', ['listen', 'webhook']],
  ['scenarios', ['test', 'scenario', 'trigger']],
  ['sandbox', ['sandbox', 'space', 'exec', 'logs', 'token', 'audit', 'outcomes', 'cards']],
  ['settings', ['init', 'doctor', 'profile', 'whoami', 'trust', 'completion', 'openapi', 'help']],
]

/** What a newcomer types first. */
export const firstSteps: readonly (readonly [command: string, what: string])[] = [
  ['tillbox sandbox start', 'in one window: a sandbox, with a dashboard and terminals'],
  ['tillbox sale --amount 10.00', 'in another: the first payment'],
  ['tillbox listen', 'every notification, as your server would get it'],
]

/** The groups with their names, given every command and topic of one word that help shows. */
export function groupsOf(
  all: readonly string[],
): readonly (readonly [title: string, names: readonly string[]])[] {
  const grouped = new Set(helpGroups.flatMap(([, names]) => names))
  const others = all.filter((name) => !grouped.has(name))
  return helpGroups.map(([title, names], index) => [title, index === 0 ? [...names, ...others] : names])
}
