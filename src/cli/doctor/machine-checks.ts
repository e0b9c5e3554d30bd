import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { control } from '../../client/client.ts'
import { usualPort } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { packageRoot, packageVersion } from '../../package-root.ts'
import { readOr } from '../../read-or.ts'
import { command } from '../../text/commands.ts'
import { stateFlag, stateNamed } from '../sandbox/state-folder.ts'
import { type Check, type DoctorFacts, failed, ok, requireFact, warning } from './examination.ts'

/** Checks of this machine: programs, the state folder, the port. */

const node: Check<DoctorFacts> = {
  name: 'node',
  run: () => {
    const { version } = process
    const { engines } = packageAt(packageRoot) ?? {}
    if (engines === undefined || isInRange(version, engines.node)) return ok(`Node.js ${version.slice(1)}`)
    return failed(
      `Node.js ${version.slice(1)} does not run tillbox, which needs ${engines.node}`,
      'nvm install 24 (or get it from https://nodejs.org)',
    )
  },
}

const tillbox: Check<DoctorFacts> = {
  name: 'tillbox',
  run: () => {
    const version = packageVersion()
    const here = `tillbox ${version} in ${packageRoot}`
    const ofProject = packageAt(resolve('node_modules/tillbox'))?.version
    if (ofProject === undefined || ofProject === version) return ok(here)
    return warning(`${here}; this project has ${ofProject}`, 'npx `tillbox doctor`')
  },
}

function packageAt(folder: string): { version: string; engines: { node: string } } | undefined {
  const path = join(folder, 'package.json')
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  return JSON.parse(readFileSync(path, 'utf8'))
}

const state: Check<DoctorFacts> = {
  name: 'state folder',
  needs: ['target'],
  run: async ({ target, flags, verifyState }) => {
    const { baseUrl, state: named } = requireFact(target)
    if (baseUrl !== undefined && named === undefined) return undefined
    const folder = resolve(named ?? stateNamed(flags.state))
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return ok(`${folder} does not exist yet; a sandbox makes it`)
    const { sound, database, problems, warnings, transactions } = await verifyState(folder)
    if (database !== null)
      return ok(`${folder} is of a node: its data is in ${database}, which was not checked`)
    const verify = command(`sandbox verify${stateFlag(folder)}`)
    if (!sound) return failed(`${folder} is damaged: ${problems[0]}`, verify)
    const stored = `${folder} is sound; transactions: ${transactions}`
    return warnings.length === 0 ? ok(stored) : warning(`${stored}. ${warnings[0]}`, verify)
  },
}

const port: Check<DoctorFacts> = {
  name: 'port',
  needs: ['target'],
  run: async ({ target }) => {
    if (requireFact(target).baseUrl !== undefined) return undefined
    const number = usualPort()
    const address = { baseUrl: `http://127.0.0.1:${number}` }
    try {
      const sandbox = await control(address, 'connection', undefined, { timeout: 2_000 })
      return ok(`${number} is held by the sandbox on ${sandbox.state} (process ${sandbox.pid})`)
    } catch (error) {
      if (error instanceof Unreachable && error.refused) return ok(`${number} is free`)
      return warning(
        `${number} is held by ${processOn(number) ?? 'another program'}, which is not a tillbox sandbox`,
        '`tillbox sandbox start --port 0`',
      )
    }
  },
}

export const programChecks = [node, tillbox]
export const stateAndPortChecks = [state, port]

/** `node (process 1234)`, where the system shows it: on Linux, for processes of this user. */
function processOn(port: number): string | undefined {
  const sockets = new Set(listening(port).map((inode) => `socket:[${inode}]`))
  if (sockets.size === 0) return undefined
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((each) => linkTargets(`/proc/${each}/fd`).some((link) => sockets.has(link)))
  return pid && `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
}

/** Inodes of the sockets that listen on a port. */
const listening = (port: number): string[] =>
  ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => state === listenState && local.endsWith(`:${hex(port)}`))
      .map((columns) => columns[9] ?? ''),
  )

const listenState = '0A'
const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Targets of the links in a folder; empty for another user's process, or one that has ended. */
const linkTargets = (folder: string): string[] =>
  readOr([], () => readdirSync(folder)).flatMap((name) =>
    readOr([], () => [readlinkSync(`${folder}/${name}`)]),
  )

/** True for a version in a range such as `^20.19.0 || >=24`, the forms in which package.json names versions of Node. */
export const isInRange = (version: string, range: string): boolean =>
  range.split('||').some((part) => {
    const [actual, least] = [version, part].map((text) => text.replace(/^\D+/, '').trim()) as [string, string]
    const isEnough = actual.localeCompare(least, 'en', { numeric: true }) >= 0
    return isEnough && (part.includes('>=') || Number.parseInt(actual, 10) === Number.parseInt(least, 10))
  })
