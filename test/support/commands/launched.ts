import { expect } from 'vitest'
import type { AnyJson } from '../any-json.ts'
import { inOneLine } from './terminal-text.ts'

/** What a process said, and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs, in a process of its own or in this one. It is stopped at the end of the test, whatever happens. */
export interface Launched {
  readonly pid: number
  readonly cwd: string
  /** What it wrote so far. */
  output(): { stdout: string; stderr: string }
  /** Resolves when standard output matches; fails when the process ends before. */
  until(pattern: RegExp): Promise<string>
  /** Resolves when the process has ended. */
  ended(): Promise<Ended>
  /** Sends the signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Resolves with standard output once it matches; `listen`: calls back after each output. Errors: the command ended before. */
export const untilOutput = (
  pattern: RegExp,
  listen: (look: () => void) => unknown,
  stdout: () => string,
  ended: Promise<Ended>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => pattern.test(stdout()) && resolve(stdout())
    listen(look)
    look()
    ended.then(({ code, stderr }) => reject(new Error(`it ended with ${code}: ${stderr}`)), reject)
  })

const has = (text: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? text.includes(part) : part.test(text)

/**
 * Fails unless a command ends with that code and says the texts on standard error, however they are wrapped, and nothing of
 * a bug. Resolves to how it ended.
 */
export async function fails(
  command: Promise<Ended>,
  code: number,
  ...texts: readonly (string | RegExp)[]
): Promise<Ended> {
  const ended = await command
  const { stderr } = ended
  const unsaid = texts.filter((text) => !has(stderr, text) && !has(inOneLine(stderr), text))
  expect({ code: ended.code, unsaid, stderr }).toEqual({ code, unsaid: [], stderr })
  expect(stderr).not.toContain('bug in tillbox')
  return ended
}

/**
 * What a command prints that ends with 0. Fails when it does not, says anything on standard error, or does not print one of
 * the parts.
 */
export async function prints(
  command: Promise<Ended>,
  ...parts: readonly (string | RegExp)[]
): Promise<string> {
  const { code, stdout, stderr } = await command
  const missing = parts.filter((part) =>
    typeof part === 'string' ? !stdout.includes(part) : !part.test(stdout),
  )
  expect({ code, stderr, missing, stdout }).toEqual({ code: 0, stderr: '', missing: [], stdout })
  return stdout
}

/** Resolves when standard error matches. */
export const untilStderr = ({ output }: Pick<Launched, 'output'>, pattern: RegExp): Promise<unknown> =>
  expect.poll(() => output().stderr).toMatch(pattern)

/** The documents of NDJSON. Errors: a SyntaxError for an invalid line. */
export const parseNdjson = (text: string): AnyJson[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
