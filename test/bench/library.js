// Times createSandbox in a process of its own: the first, which loads the code, and those after it. Wall and processor time in
// milliseconds.
import { createSandbox } from '../../dist/index.js'
import { ownTime } from './results/processor-time.js'

const times = []
for (let count = 0; count < Number(process.argv[2]); count++) {
  const [started, before] = [performance.now(), ownTime().time]
  const sandbox = await createSandbox()
  times.push({ wall: performance.now() - started, processor: (ownTime().time - before) / 1000 })
  await sandbox.close()
}
process.stdout.write(JSON.stringify(times))
