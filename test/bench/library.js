// Times createSandbox in a process of its own: the first, which loads the code, and those after it. Milliseconds.
import { createSandbox } from '../../dist/index.js'

const times = []
for (let count = 0; count < Number(process.argv[2]); count++) {
  const started = performance.now()
  const sandbox = await createSandbox()
  times.push(performance.now() - started)
  await sandbox.close()
}
process.stdout.write(JSON.stringify(times))
