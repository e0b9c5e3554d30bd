// A sandbox as a process of its own, with options that the command line does not have: `node sandbox.js '{"state": …}'`.
// It says where it is as `sandbox start --json` does, and stops in the same way.
import { createSandbox } from '../../dist/index.js'

const stopped = new Promise((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})
const report = (message) => process.stderr.write(`${message}\n`)
const running = await createSandbox({ ...JSON.parse(process.argv[2]), report })
const { data } = await (await fetch(`${running.url}/_sandbox/connection`)).json()
process.stdout.write(`${JSON.stringify(data)}\n`)
await stopped
await running.close()
