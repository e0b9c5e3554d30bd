import { hintText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { pairs } from '../output/table.ts'
import { themeOf } from '../output/theme.ts'
import { renderMadeAccess } from '../sandbox/status-panel.ts'
import type { DetachedSandbox } from './detach.ts'

/** What `sandbox start --detach --json` and `sandbox restart --json` print. */
export const detachedDocument = (started: DetachedSandbox) => ({
  ...started,
  dashboard: `${started.url}/`,
})

/** A sandbox that runs in the background now. */
export function renderDetached(given: DetachedSandbox, head = 'is ready at'): string {
  const { url, pid, state, logFile, token, made = [], certificate, seeded } = cleaned(given)
  const theme = themeOf('stdout')
  const facts = pairs(theme, [
    ['dashboard', theme.link(`${url}/`)],
    ['process', `${pid}   ${theme.faint('in the background')}`],
    ['state', state],
    [
      'seed',
      seeded === false
        ? `not used: the state is not new   ${theme.faint('the log says what to do')}`
        : undefined,
    ],
    ['log', logFile],
    ['token', token && `${token}   ${theme.faint('new; add it to page URLs as ?token=…')}`],
    ['certificate', certificate && `${certificate}   ${theme.faint('trust it with NODE_EXTRA_CA_CERTS')}`],
  ])
  const next = ['Stop it: tillbox sandbox stop', 'Look at it: tillbox sandbox status']
    .map((text) => theme.faint(hintText(text, theme)))
    .join('\n')
  return `${theme.good('●')} ${theme.strong('tillbox sandbox')} ${head} ${theme.link(url)}\n\n${facts}\n\n${[...renderMadeAccess(made, theme), next].join('\n')}\n`
}
