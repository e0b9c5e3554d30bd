import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { control } from '../../client/client.ts'
import { usualPort } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { packageRoot, packageVersion } from '../../package-root.ts'
import { command } from '../../text/commands.ts'
import { stateFlag, stateNamed } from '../sandbox/state-folder.ts'
import { type Check, type DoctorFacts, failed, ok, requireFact, warning } from './examination.ts'

/** Checks of this machine: programs, the state folder, the port. */

const node: Check<DoctorFacts> = { name: 'node', run: () => ok(`Node.js ${process.version.slice(1)}`) }

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

function packageAt(folder: string): { version: string } | undefined {
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
        `${number} is held by another program, which is not a tillbox sandbox`,
        '`tillbox sandbox start --port 0`',
      )
    }
  },
}

export const programChecks = [node, tillbox]
export const stateAndPortChecks = [state, port]
