import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { usualPort } from '../../client/discover.ts'
import { packageRoot, packageVersion } from '../../package-root.ts'
import { stateFlag, stateNamed } from '../sandbox/state-folder.ts'
import { type DoctorFacts, known } from './doctor-facts.ts'
import { type Check, failed, ok, warning } from './examination.ts'
import { portHolder } from './port-holder.ts'
import { isInRange } from './version-range.ts'

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
    return warning(`${here}; this project has ${ofProject}`, 'npx tillbox doctor')
  },
}

/** The data of its package.json; undefined when it has none. */
function packageAt(folder: string): { version: string; engines: { node: string } } | undefined {
  const path = join(folder, 'package.json')
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  return JSON.parse(readFileSync(path, 'utf8'))
}

const state: Check<DoctorFacts> = {
  name: 'state folder',
  needs: ['target'],
  run: async ({ target, flags, verifyState }) => {
    const { baseUrl, state: named } = known(target)
    if (baseUrl !== undefined && named === undefined) return undefined
    const folder = resolve(named ?? stateNamed(flags.state))
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return ok(`${folder} does not exist yet; a sandbox makes it`)
    const { sound, database, problems, warnings, transactions } = await verifyState(folder)
    if (database !== null)
      return ok(`${folder} is of a node: its data is in ${database}, which was not checked`)
    const verify = `tillbox sandbox verify${stateFlag(folder)}`
    if (!sound) return failed(`${folder} is damaged: ${problems[0]}`, verify)
    const stored = `${folder} is sound; transactions: ${transactions}`
    return warnings.length === 0 ? ok(stored) : warning(`${stored}. ${warnings[0]}`, verify)
  },
}

const port: Check<DoctorFacts> = {
  name: 'port',
  needs: ['target'],
  run: async ({ target }) => {
    if (known(target).baseUrl !== undefined) return undefined
    const number = usualPort()
    const holder = await portHolder(number)
    if (holder.is === 'nobody') return ok(`${number} is free`)
    if (holder.is === 'sandbox')
      return ok(`${number} is held by the sandbox on ${holder.sandbox.state} (process ${holder.sandbox.pid})`)
    const who = holder.process ?? 'another program'
    return warning(
      `${number} is held by ${who}, which is not a tillbox sandbox`,
      'tillbox sandbox start --port 0',
    )
  },
}

export const programChecks = [node, tillbox]
export const stateAndPortChecks = [state, port]
