// A sale and a query beside what comes nearest to them in other servers, which npm installs into the folder of the bench.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loads } from '../loads.js'
import { peers as known } from '../peers.js'
import { answerOf, runLoad, startEcho, startPeer, startSandbox } from '../processes.js'
import { compare, loadText, rotated } from '../report.js'

const measured = ['sale', 'query']

export async function peers({ report, rounds, seconds, root, newFolder }) {
  const sandbox = await startSandbox({ state: newFolder() })
  const echo = await startEcho(sandbox)
  for (const server of [echo, sandbox]) await warmUp(server)
  const answers = { sale: await answerOf(sandbox, loads.sale), query: await answerOf(sandbox, loads.query) }
  const servers = { echo, tillbox: sandbox }
  const others = [] // that cannot be measured
  for (const [name, peer] of Object.entries(known)) {
    let server
    try {
      const installed = install(peer, join(root, name))
      server = await startPeer(name, { ...installed, answers })
      await warmUp(server)
      servers[`${name} ${installed.version}`] = server
    } catch (error) {
      await server?.stop() // it would take time from the others
      others.push({ what: name, value: `not measured: ${error.message}` })
    }
  }
  const results = {}
  for (let round = 0; round < rounds; round++)
    for (const load of measured)
      for (const [name, server] of rotated(Object.entries(servers), round)) {
        results[`${name} ${load}`] ??= []
        results[`${name} ${load}`].push(await runLoad(server, load, { seconds }))
      }
  for (const server of Object.values(servers)) await server.stop()

  const times = (key) => results[key].map(({ time }) => time)
  for (const load of measured)
    for (const name of Object.keys(servers).filter((each) => each !== 'echo'))
      report.add({
        what: `${load} of ${name} ÷ echo`,
        value: `${loadText(results[`${name} ${load}`])}; ${loadText(results[`echo ${load}`])}`,
        ...compare(times(`echo ${load}`), times(`${name} ${load}`)),
      })
  for (const row of others) report.add(row)
}

async function warmUp(server) {
  for (const load of measured) await runLoad(server, load, { amount: 500 })
}

/** Installs the newest version, and runs no script of it. Errors: Error where that is not the program. */
function install({ package: name, program }, folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund']
  try {
    execFileSync('npm', ['install', ...options, name], { cwd: folder, stdio: 'pipe' })
  } catch (error) {
    throw new Error(`npm does not install ${name}: ${error.message}`)
  }
  const packageFolder = join(folder, 'node_modules', name)
  const { version, bin = {} } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const path = typeof bin === 'string' ? bin : bin[program]
  if (path === undefined) throw new Error(`${name} ${version} of the registry has no program ${program}`)
  return { folder, packageFolder, program: join(packageFolder, path), version }
}
