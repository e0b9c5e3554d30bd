import type { ProfileView, Whoami } from '../answer-shapes.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { columns, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** Every profile, a line each. */
export function renderProfiles(profiles: readonly ProfileView[]): string {
  if (profiles.length === 0)
    return `${hint('No profile yet. Make one: `tillbox profile set <name> --base-url <url>`')}\n`
  const rows = cleaned(profiles).map(({ name, current, live, baseUrl, state, space }) => [
    current ? theme.good('●') : ' ',
    current ? theme.strong(name) : name,
    live === true ? theme.bad('live') : '',
    [baseUrl ?? state ?? theme.faint('the running sandbox'), space && `space ${space}`]
      .filter(Boolean)
      .join(', '),
  ])
  return `${columns(['', 'profile', '', 'service'], rows)}\n`
}

/** One profile, with its key redacted. */
export function renderProfile(profile: ProfileView): string {
  const { name, live, baseUrl, state, space, appId, merchantId, terminal, apiKey, apiKeyEnv, file } =
    cleaned(profile)
  const facts = pairs([
    ['base URL', baseUrl],
    ['state folder', state],
    ['space', space],
    ['API key', apiKey ?? (apiKeyEnv && `in the variable ${apiKeyEnv}`)],
    ['application', appId],
    ['merchant', merchantId],
    ['terminal', terminal],
    [
      'money',
      live === true ? theme.bad('real: operations ask first') : live === false ? 'not real' : undefined,
    ],
    ['file', theme.faint(file)],
  ])
  return `${theme.strong(name)}\n${facts}\n`
}

const labels: Readonly<Record<string, string>> = {
  baseUrl: 'base URL',
  state: 'state folder',
  space: 'space',
  apiKey: 'API key',
  appId: 'application',
  merchantId: 'merchant',
  live: 'live mode',
}

/** Each setting that holds, and what set it. */
export function renderWhoami(answer: Whoami): string {
  const rows = cleaned(answer).settings.map(({ setting, value, source }) => [
    theme.faint(labels[setting] ?? setting),
    value ?? theme.faint('not set'),
    theme.faint(source),
  ])
  return `${columns(['setting', 'value', 'from'], rows)}\n`
}
