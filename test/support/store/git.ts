import { execFileSync } from 'node:child_process'
import { skipsWithout } from '../programs.ts'

/** True where Git is missing, and tests with repositories are skipped. */
export const lacksGit = skipsWithout({ isThere: 'git --version', packages: 'git' })

const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']

/** Runs Git in a folder, with no settings but these. Returns what it prints. */
export const git = (cwd: string, ...words: readonly string[]): string =>
  execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  })

/** A folder becomes a repository, with all its files in its first commit. */
export function commitAll(folder: string, ...init: readonly string[]): void {
  git(folder, 'init', '--quiet', ...init)
  git(folder, 'add', '--all', '--force')
  git(folder, 'commit', '--quiet', '--message', 'all')
}
