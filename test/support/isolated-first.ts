import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files with modules of their own begin: at the end, nothing would fill the cores beside the longest of them. */
export class IsolatedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isIsolated = ({ project }: TestSpecification) => project.config.isolate
    return [...sorted.filter(isIsolated), ...sorted.filter((file) => !isIsolated(file))]
  }
}
