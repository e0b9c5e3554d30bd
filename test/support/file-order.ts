import { BaseSequencer, type TestSpecification } from 'vitest/node'

const waiting = [
  'e2e|published|store/(postgres|disk-errors|power-loss)|scenario/(examples|run)|sandbox/spaces',
  'pages/(faults|fleet|start)|cli/(attend|bounds|listen-retries|lost-answers|planted-locks)',
].join('|')

/** Files that wait for one and the same thing, each file for the first that fits: nodes, a browser, the rest of the world, nothing. */
const kinds = ['server', 'browser', waiting, ''].map((files) => new RegExp(`/test/(${files})`))

/** The order of the files, for all cores to be busy: those of each kind are spread evenly over the run. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
    const kindOf = ({ moduleId }: TestSpecification) => kinds.findIndex((kind) => kind.test(moduleId))
    return kinds
      .flatMap((_, kind) => spread(byName.filter((file) => kindOf(file) === kind)))
      .sort((one, other) => one.place - other.place)
      .map(({ file }) => file)
  }
}

/** Each with its place in the run, from 0 up to 1. */
const spread = (files: readonly TestSpecification[]) =>
  files.map((file, at) => ({ file, place: at / files.length }))
