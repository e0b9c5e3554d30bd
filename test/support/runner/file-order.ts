import { dirname } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order of the files, for all cores to be busy: those of a folder often wait for one and the same thing, such as
 * a browser, a database or a process, so each folder is spread evenly over its project, from its beginning on. One project
 * comes after the other, because a worker that changes to another one begins anew.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = [...new Set(files.map(({ project }) => project.name))].sort()
    return projects.flatMap((name) => spread(files.filter(({ project }) => project.name === name)))
  }
}

function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const folders = new Map<string, TestSpecification[]>()
  for (const file of files.toSorted(byName)) {
    const folder = dirname(file.moduleId)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders.values()]
    .flatMap((alike) => alike.map((file, at) => ({ file, position: at / alike.length })))
    .sort((one, other) => one.position - other.position)
    .map(({ file }) => file)
}

const byName = (one: TestSpecification, other: TestSpecification) => (one.moduleId < other.moduleId ? -1 : 1)
