import { execute } from '@oclif/core/execute'

/** Runs the command line. `dir` is the URL of a file in the package's bin folder. */
export const run = (dir: string): Promise<unknown> => execute({ dir })
