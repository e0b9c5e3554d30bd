import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import table from '../../../fixtures/init/languages.json' with { type: 'json' }
import { packageRoot } from '../../shared/package-root.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { handlerSteps, type Project, type TemplatePart } from './project.ts'

/**
 * What init writes for another language than JavaScript: files of examples/<language>, at the same paths.
 * assumption: test-helpers
 */
interface OtherLanguage {
  readonly name: string
  /** A helper that gives tests a sandbox, and tests that use it. */
  readonly tests: readonly string[]
  readonly testCommand: string
  /** How a test says that it wants a sandbox. */
  readonly use: string
  /** A webhook handler for each framework, and the command that runs it. */
  readonly handlers: Readonly<Record<string, { readonly path: string; readonly run: string }>>
}

const others: readonly OtherLanguage[] = Object.entries(table).map(([name, row]) => ({ name, ...row }))

/** The languages that init writes for. */
export const languages = ['javascript', ...others.map(({ name }) => name)]

/** Frameworks of webhook handlers in other languages than JavaScript. */
export const otherFrameworks = others.flatMap(({ handlers }) => Object.keys(handlers))

interface WantedParts {
  readonly language?: string | undefined
  readonly framework?: string | undefined
  readonly tests?: string | undefined
  readonly only?: readonly TemplatePart[] | undefined
}

/** The language that is named, or that of the framework; undefined for JavaScript. */
export function otherLanguage({ language, framework = '' }: WantedParts): OtherLanguage | undefined {
  const found = others.find(({ name, handlers }) =>
    language === undefined ? framework in handlers : name === language,
  )
  if (framework === '' || (found ? framework in found.handlers : !otherFrameworks.includes(framework)))
    return found
  throw new UsageError(
    ['--framework', `${framework} is not of ${language}`],
    'Leave --language out, or name another framework',
  )
}

/**
 * What is written in that language: the parts of `only`, else the tests, a handler for the framework, and the
 * line of .gitignore.
 */
export function otherProject(
  language: OtherLanguage,
  { only, framework, tests: runner }: WantedParts,
): Project {
  const { name, tests, testCommand, use, handlers } = language
  const handler = framework === undefined ? undefined : handlers[framework]
  if (runner !== undefined)
    throw new UsageError(
      ['--tests', `${runner} is not of ${name}`],
      `Leave it out: the tests run with ${testCommand}`,
    )
  if (only?.includes('ci'))
    throw new UsageError(
      `There is no CI job for ${name}`,
      `Run the tests in a job of your own: npx tillbox exec -- ${testCommand}`,
    )
  if (only?.includes('config'))
    throw new UsageError(['--only', `config is not of ${name}`], 'Leave that part out, or --language')
  if (only?.includes('webhook') && handler === undefined)
    throw new UsageError(
      [
        '--only',
        `webhook needs a framework, of which ${name} has ${Object.keys(handlers).join(' and ') || 'none'}`,
      ],
      'Name it with --framework, or leave that part out',
    )
  const usual: readonly TemplatePart[] = ['smoke', ...(handler ? (['webhook'] as const) : []), 'gitignore']
  const parts = only ?? usual
  const tested = parts.includes('smoke') ? tests : []
  const handled = parts.includes('webhook') && handler !== undefined ? [handler] : []
  return {
    parts,
    files: [...tested, ...handled.map(({ path }) => path)].map((path) => ({
      path,
      text: readFileSync(join(packageRoot, 'examples', name, path), 'utf8'),
    })),
    steps: [
      ...(tested.length > 0 ? [`${use}   # in a test`, `npx tillbox exec -- ${testCommand}`] : []),
      ...handled.flatMap(({ run }) => handlerSteps(run)),
    ],
  }
}
