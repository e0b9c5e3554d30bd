import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that spend most of their time waiting for nodes, a database or other processes. */
const waiting = /\/test\/(e2e|package|server|store\/postgres)\//

/**
 * The order of the files, for all cores to be busy. Those with modules of their own begin: at the end, nothing would run
 * beside the longest of them. Those that wait are spread over the first two thirds of the others, each kind in vitest's order.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [isolated, others] = parted(sorted, ({ project }) => project.config.isolate)
    const [patient, busy] = parted(others, ({ moduleId }) => waiting.test(moduleId))
    const apart = Math.max(1, Math.floor((busy.length * 2) / 3 / patient.length))
    const mixed = busy.flatMap((file, at) => (at % apart === 0 ? [...patient.splice(0, 1), file] : [file]))
    return [...isolated, ...mixed, ...patient]
  }
}

/** Those for which it is true, and the others. */
function parted<T>(all: readonly T[], isOne: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isOne), all.filter((each) => !isOne(each))]
}
