import { basename, relative, sep } from 'node:path'

/** How a package manager runs a binary of the project, and one of its cache, by its user agent. */
const runners: Readonly<Record<string, readonly [ofProject: string, ofCache: string]>> = {
  npm: ['npx', 'npx'],
  pnpm: ['pnpm exec', 'pnpm dlx'],
  yarn: ['yarn', 'yarn dlx'],
  bun: ['bunx', 'bunx'],
}

/**
 * The first words of a command that runs this program again, the way it was run now: `tillbox`, `npx
 * tillbox`, `node bin/run.js`. `script`: what Node was started with, a link or the file.
 */
export function programName(script: string, env: NodeJS.ProcessEnv, cwd: string): string {
  const isFile = script.endsWith(`${sep}bin${sep}run.js`)
  const isInstalled = script.includes(`${sep}node_modules${sep}`)
  if (!isFile && !(isInstalled && basename(script) === 'tillbox')) return 'tillbox'
  const [manager = ''] = env.npm_config_user_agent?.split('/') ?? []
  const isInProject = script.startsWith(cwd + sep)
  const runner = runners[manager]?.[isInProject ? 0 : 1]
  if (isInstalled && runner !== undefined) return `${runner} tillbox`
  if (isInstalled && isFile) return isInProject ? 'npx tillbox' : 'tillbox' // Windows, and pnpm: a link is a script
  const path = relative(cwd, script)
  const shorter = path.length < script.length ? path : script
  if (isFile) return `node ${shorter}`
  return isInProject ? `.${sep}${path}` : shorter
}
