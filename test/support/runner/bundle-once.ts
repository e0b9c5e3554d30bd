import type { TestProject } from 'vitest/node'
import { bundle } from '../../../bin/bundle.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** What each file of dist/ was made from: names in dist/, and paths in this folder. */
    readonly sourcesOfFiles: readonly (readonly [file: string, sources: readonly string[]])[]
  }
}

/** Before all tests: dist/ is bundled from the sources as they are, so no test meets an old build. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('sourcesOfFiles', [...(await bundle())])
}
