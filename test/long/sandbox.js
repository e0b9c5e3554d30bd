// A sandbox as a process of its own, with options that the command line does not have: `node sandbox.js '{"state": …}'`,
// or a node of a database: `'{"state": …, "store": "postgres://…"}'`. It says where it is as `sandbox start --json` does,
// and stops in the same way.
import { createSandbox } from '../../dist/index.js'

const stopped = new Promise((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})
const report = (message) => process.stderr.write(`${message}\n`)
const options = { ...JSON.parse(process.argv[2]), report }
const { connection, close } = await (options.store === undefined ? sandbox() : node())
process.stdout.write(`${JSON.stringify(connection)}\n`)
await stopped
await close()

async function sandbox() {
  const running = await createSandbox(options)
  const { data: connection } = await (await fetch(`${running.url}/_sandbox/connection`)).json()
  return { connection, close: () => running.close() }
}

async function node() {
  const { startNode } = await import('../../dist/server/cluster/start-node.js')
  return startNode(options)
}
