import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that spend most of their time waiting for nodes, a database, a browser or other processes. */
const waiting = /\/test\/(browser|e2e|package|server|store\/postgres)\//

/** The order of the files, for all cores to be busy: those that wait are spread over two thirds of the others, each kind in vitest's order. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const patient = sorted.filter(({ moduleId }) => waiting.test(moduleId))
    const busy = sorted.filter(({ moduleId }) => !waiting.test(moduleId))
    const apart = Math.max(1, Math.floor((busy.length * 2) / 3 / patient.length))
    const mixed = busy.flatMap((file, at) => (at % apart === 0 ? [...patient.splice(0, 1), file] : [file]))
    return [...mixed, ...patient]
  }
}
