import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.ts'

/** A program of another language, for tests that run it. */
export interface Program {
  /** A command of the shell that succeeds where it is installed. */
  readonly isThere: string
  /** Debian's packages that have it. */
  readonly packages: string
}

/** True where tests that need a program are to be skipped; says so. With `CI` set they fail instead. */
export function skipsWithout({ isThere, packages }: Program): boolean {
  if (process.env.CI || spawnSync('bash', ['-c', isThere], { stdio: 'ignore' }).status === 0) return false
  process.stderr.write(`NOT TESTED: ${isThere} fails. Install it (Debian: apt-get install ${packages}).\n`)
  return true
}

/** The Python that has the packages of Debian; else the first on the PATH. */
export const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

/** A class path of jars that Debian has. */
export const jars = (...names: readonly string[]): string =>
  names.map((name) => `/usr/share/java/${name}.jar`).join(':')

/** Where Go keeps what it compiled: the next run needs it again. */
export const goCache = join(projectRoot, 'node_modules/.cache/go')
