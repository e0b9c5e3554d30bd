// A sandbox as a process of its own, with options that the command line does not have: `node sandbox.js '{"state": …}'`.
// It says where it is as `sandbox start --json` does, and stops in the same way.
import { startSandbox } from '../../dist/index.js'

const stopped = new Promise((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})
const report = (message) => process.stderr.write(`${message}\n`)
const running = await startSandbox({ ...JSON.parse(process.argv[2]), report })
process.stdout.write(`${JSON.stringify(running.connection)}\n`)
await stopped
await running.close()
