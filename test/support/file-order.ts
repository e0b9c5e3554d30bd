import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that spend most of their time waiting for nodes, a database or other processes. */
const waiting = /\/test\/(e2e|published|server|store\/(postgres|disk-errors|power-loss)|scenario\/examples)\b/

/** The order of the files, for all cores to be busy: the longest first, and those that wait spread over the others. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const patient = sorted.filter(({ moduleId }) => waiting.test(moduleId))
    const busy = sorted.filter(({ moduleId }) => !waiting.test(moduleId))
    const apart = Math.max(1, Math.floor(busy.length / (patient.length + 1)))
    const mixed = busy.flatMap((file, at) => (at % apart === 0 ? [...patient.splice(0, 1), file] : [file]))
    return [...mixed, ...patient]
  }
}
