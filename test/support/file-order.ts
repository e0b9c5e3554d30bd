import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that spend most of their time waiting: for nodes, a database, other processes, or what a page shows later. */
const waiting = new RegExp(
  String.raw`/test/(${[
    'e2e|published|server|store/(postgres|disk-errors|power-loss)|scenario/(examples|run)|sandbox/spaces',
    'browser/(hostile-text|paying)|pages/(faults|fleet|start)|cli/(attend|bounds|listen-retries|lost-answers|planted-locks)',
  ].join('|')})\b`,
)

/** The order of the files, for all cores to be busy: the longest first, and those that wait spread over the others. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isOfServer = ({ moduleId }: TestSpecification) => moduleId.includes('/test/server/')
    const patient = sorted.filter(({ moduleId }) => waiting.test(moduleId))
    patient.sort((one, other) => Number(isOfServer(other)) - Number(isOfServer(one))) // the longest are among these
    const busy = sorted.filter(({ moduleId }) => !waiting.test(moduleId))
    const apart = Math.max(1, Math.floor(busy.length / (patient.length + 1)))
    const mixed = busy.flatMap((file, at) => (at % apart === 0 ? [...patient.splice(0, 1), file] : [file]))
    return [...mixed, ...patient]
  }
}
