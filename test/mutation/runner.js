import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import fc from 'fast-check'
import { build } from 'rolldown'
import { expect } from 'vitest'

/** Folders whose tests judge mutants: in process, without a port. */
const folders = ['test/domain', 'test/contract']

/** Walks through thousands of steps: what they alone would find has no test that says it, and each takes a second. */
const walks = /^test\/domain\/laws|in every order|is the same moment/

/** What Stryker's code in the mutated files reads and counts. */
const counters = () => (globalThis.__stryker__ ??= {})

/**
 * A test runner for Stryker: one bundle of the tests and what they import, evaluated anew for each mutant in some
 * milliseconds. Stryker's own for Vitest starts a worker for each, which takes hours where most mutants are in tables.
 */
class BundleRunner {
  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.files = testFiles()
    const entry = this.files.map((file) => `'${file}': () => require('./${file}')`)
    const { output } = await build({
      input: 'entry',
      write: false,
      platform: 'node',
      external: ['vitest', 'fast-check', 'valibot'], // the same for every mutant
      plugins: [entryOf(`module.exports = {${entry.join()}}`), ownUrl],
      logLevel: 'silent',
      output: { format: 'cjs', codeSplitting: false },
    })
    this.evaluate = compileFunction(output[0].code, ['module', 'require'])
  }

  async dryRun() {
    Object.assign(counters(), { activeMutant: undefined, mutantCoverage: undefined })
    const tests = []
    for (const { run, ...test } of this.collect(this.files)) {
      counters().currentTestId = test.id
      const started = performance.now()
      const failureMessage = await failureOf(run)
      const status = failureMessage === undefined ? 0 : 1
      tests.push({ ...test, timeSpentMs: performance.now() - started, status, failureMessage })
      counters().currentTestId = undefined
    }
    return { status: 'complete', tests, mutantCoverage: counters().mutantCoverage }
  }

  /**
   * Runs the tests of every file of which one covers the mutant, as the tests of a file may share what the first of them
   * makes: first those of the folder that mirrors the mutant's.
   */
  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    const covering = new Set(testFilter?.map((id) => id.split('#')[0]) ?? this.files)
    const [, folder] = /\/src\/(\w+)\//.exec(activeMutant.fileName) ?? []
    const isBeside = (file) => file.startsWith(`test/${folder}/`)
    const files = [...covering].sort((one, other) => isBeside(other) - isBeside(one))
    const atLoad = mutantActivation === 'static' ? activeMutant.id : undefined
    Object.assign(counters(), { hitCount: 0, hitLimit, activeMutant: atLoad })
    let nrOfTests = 0
    let killedBy = []
    const failureMessage = await failureOf(async () => {
      for (const { id, run } of this.collect(files)) {
        counters().activeMutant = activeMutant.id
        killedBy = [id]
        nrOfTests++
        await run()
        killedBy = []
        counters().activeMutant = atLoad
      }
    })
    if (counters().hitCount > hitLimit) return { status: 'timeout', reason: 'endless loop' }
    return failureMessage === undefined
      ? { status: 'survived', nrOfTests }
      : { status: 'killed', killedBy, failureMessage, nrOfTests }
  }

  /** The tests of these files, one file after the other, with modules of their own. */
  *collect(files) {
    const module = { exports: {} }
    const collector = new Collector()
    this.evaluate(module, (name) => (name === 'vitest' ? collector.vitest : load(name)))
    for (const file of files) yield* collector.collect(file, module.exports[file])
  }
}

const load = createRequire(import.meta.url)

const testFiles = () =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.test.ts') && !walks.test(path)),
  )

/** What the tests use of Vitest: `describe` and `test`, both with `each`, and `expect` itself. */
class Collector {
  vitest = {
    expect,
    describe: withEach((name, body) => this.#describe(name, body)),
    test: withEach((name, run) => this.#test(name, run)),
  }
  #file = ''
  #tests = []
  #names = []

  collect(file, define) {
    this.#file = file
    this.#tests = []
    define()
    return this.#tests
  }

  #describe(name, body) {
    this.#names.push(name)
    body()
    this.#names.pop()
  }

  #test(last, run) {
    const name = [...this.#names, last].join(' ')
    if (walks.test(name)) return
    const id = `${this.#file}#${this.#tests.length}`
    this.#tests.push({ id, name, fileName: resolve(this.#file), run })
  }
}

const withEach = (define) =>
  Object.assign(define, {
    each: (rows) => (name, body) => {
      for (const [index, row] of rows.entries()) {
        const [first] = [row].flat()
        const which = typeof first === 'string' ? first : index
        define(`${name} (${which})`, () => (Array.isArray(row) ? body(...row) : body(row)))
      }
    },
  })

/** Message of what it throws; undefined for nothing. */
async function failureOf(run) {
  try {
    await run()
    return undefined
  } catch (error) {
    return String(error?.message ?? error)
  }
}

/** The tests keep their own URL, by which they find what they read. */
const ownUrl = {
  name: 'own-url',
  transform: (code, path) =>
    /\/test\/.*\.ts$/.test(path)
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      : undefined,
}

/** A module that is not a file, in this folder. */
const entryOf = (code) => ({
  name: 'entry',
  resolveId: (id) => (id === 'entry' ? resolve('entry.cjs') : undefined),
  load: (id) => (id === resolve('entry.cjs') ? code : undefined),
})

fc.configureGlobal({ seed: 1 })

/** A text with a space is for people: messages, remedies, help. What it says is not behaviour, that it is said is. */
const prose = {
  shouldIgnore: ({ node }) => {
    const texts =
      node.type === 'StringLiteral' ? [node.value] : (node.quasis ?? []).map(({ value }) => value.cooked)
    return texts.some((text) => text.includes(' ')) ? 'prose' : undefined
  },
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'bundle', injectableClass: BundleRunner },
  { kind: 'Ignore', name: 'prose', value: prose },
]
