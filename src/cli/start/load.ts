import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder, readCode, writeCode } from './compiled-code.ts'

/** Loads files of one folder and their requirements, once each. */
export interface Loader {
  /** The exports of a file. Errors: those of its code. */
  load(path: string): unknown
  /** Stores the compiled code together with that stored before; once, and only if there is new code. */
  keep(): void
}

/** Milliseconds after which a command that still runs keeps its code: it may end by a signal. */
const settled = 2_000

/**
 * Loads main.cjs of `dist` with the compiled code that an earlier start of the same command kept. Node has a cache of its own
 * from 22 on, which holds no function that is compiled when it is first called. assumption: compiled-code
 */
export function loadMain(dist: string, build: string): unknown {
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE ? null : cacheFolder(process.env)
  if (folder === null) return loaderOf(dist, null).load(join(dist, 'main.cjs'))
  const { version, arch } = process
  const name = startName(join(dist, 'commands'), process.argv.slice(2))
  const loader = loaderOf(dist, join(folder, `${build}-${version}-${arch}`, name))
  process.once('exit', (code) => {
    if (code === 0) loader.keep()
  })
  setTimeout(() => loader.keep(), settled).unref()
  return loader.load(join(dist, 'main.cjs'))
}

/** A name for all command lines that run the same code: that of the command, or `other`, such as for help. */
export function startName(commands: string, args: readonly string[]): string {
  const end = args.findIndex((word) => !/^[a-z_-]+$/.test(word) || word.startsWith('-'))
  const words = end === -1 ? args : args.slice(0, end)
  const isHelp = args.some((word) => word === '--help' || word === '-h')
  const path = isHelp
    ? undefined
    : prefixesOf(words).find((each) => existsSync(`${join(commands, ...each)}.cjs`))
  return path?.join('.') ?? 'other'
}

const prefixesOf = (words: readonly string[]): string[][] =>
  [3, 2, 1].filter((count) => count <= words.length).map((count) => words.slice(0, count))

/** A loader with the compiled code of the file `codeFile`; null: none is used or kept. */
export function loaderOf(dist: string, codeFile: string | null): Loader {
  const code = codeFile === null ? new Map() : readCode(codeFile)
  const modules = new Map<string, { exports: unknown }>()
  const scripts = new Map<string, Script>()
  let isUpToDate = true
  const load = (path: string): unknown => {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(path, module)
    const name = relative(dist, path)
    const script = new Script(wrapped(readFileSync(path, 'utf8')), {
      filename: path,
      cachedData: code.get(name),
    })
    isUpToDate &&= script.cachedDataRejected === false
    scripts.set(name, script)
    script.runInThisContext()(module.exports, requireOf(path), module, path, dirname(path))
    return module.exports
  }
  const requireOther = createRequire(join(dist, 'main.cjs'))
  const requireOf = (path: string) => (id: string) => {
    const target = /^\.\.?\//.test(id) || isAbsolute(id) ? resolve(dirname(path), id) : id
    return target.startsWith(dist + sep) && target.endsWith('.cjs') ? load(target) : requireOther(target)
  }
  const keep = () => {
    if (codeFile === null || isUpToDate) return
    isUpToDate = true
    const compiled = [...scripts].map(([name, script]) => [name, script.createCachedData()] as const)
    writeCode(codeFile, new Map([...code, ...compiled]))
  }
  return { load, keep }
}

/** Wraps a CommonJS module as Node does; the first line keeps its number. */
const wrapped = (text: string): string =>
  `(function (exports, require, module, __filename, __dirname) {${text}\n})`
