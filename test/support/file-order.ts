import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that spend most of their time waiting for nodes, a database or other processes, or that take far longer than others
 * of their size, by which files are sorted before their first run.
 */
const waiting = /\/test\/(e2e|package|server|store\/(postgres|disk-errors|power-loss)|scenario\/examples)\b/

/** The order of the files, for all cores to be busy: those that wait are spread over the others, a long one and a short one in turn. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files) // the longest first
    const patient = inTurn(sorted.filter(({ moduleId }) => waiting.test(moduleId)))
    const busy = sorted.filter(({ moduleId }) => !waiting.test(moduleId))
    const apart = Math.max(1, Math.floor(busy.length / (patient.length + 1)))
    const mixed = busy.flatMap((file, at) => (at % apart === 0 ? [...patient.splice(0, 1), file] : [file]))
    return [...mixed, ...patient]
  }
}

/** Of the first half and of the second. */
function inTurn<T>(all: readonly T[]): T[] {
  const half = Math.ceil(all.length / 2)
  return all.slice(0, half).flatMap((each, at) => [each, ...all.slice(half + at, half + at + 1)])
}
