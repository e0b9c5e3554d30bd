import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFiles, readProjectFile } from '../support/project.ts'

// What may import what is in biome.json.

const files = projectFiles('src', /\.tsx?$/)
const textOf = (name: string) => readProjectFile(`src/${name}`)

describe('the source', () => {
  test('the domain uses no clock, no randomness and no I/O', () => {
    const impure = /\b(Date\.now|Math\.random|performance\.|process\.|setTimeout|fetch\()|from 'node:/
    expect(files.filter((name) => name.startsWith('domain/') && impure.test(textOf(name)))).toEqual([])
  })

  test('the domain knows no command of tillbox', () => {
    const names = files.filter((name) => name.startsWith('domain/'))
    expect(
      names.filter((name) =>
        /[`'"][^`'"\n]*tillbox [a-z]/.test(textOf(name).replace(/\/\*[\s\S]*?\*\//g, '')),
      ),
    ).toEqual([])
  })

  test('types are imported by an import statement, which the linter sees', () => {
    expect(files.filter((name) => /import\('\.[^']*'\)\.[A-Z]/.test(textOf(name)))).toEqual([])
  })

  test('commands load the sandbox only when it is started', () => {
    const eager = (name: string) =>
      [...textOf(name).matchAll(/^import (?!type)[^'(]*'(\.[^']*)'/gm)]
        .map(([, path = '']) => join(dirname(name), path))
        .filter((path) => /^(server|sandbox\/(store|fixture-files)|testing\/scenario)\//.test(path))
    expect(files.filter((name) => name.startsWith('cli/commands/')).flatMap(eager)).toEqual([])
  })

  test('the server takes timers and clocks from one module', () => {
    expect(files.filter((name) => ofServer.test(name) && takesGlobalTime(textOf(name)))).toEqual([])
  })

  test.each([
    'Date.now()',
    'new Date()',
    'setTimeout(run, 5)',
    'new Promise(setImmediate)',
    'queueMicrotask(run)',
    'globalThis.setInterval(run, 5)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
  ])('%s counts as a timer or clock from elsewhere', (text) => expect(takesGlobalTime(text)).toBe(true))

  test.each(["import { setTimeout } from './timers.ts'\nsetTimeout(run, 5)", 'new Date(at)'])(
    '%s does not count as a timer or clock from elsewhere',
    (text) => expect(takesGlobalTime(text)).toBe(false),
  )
})

/** What runs in the process of the sandbox; browsers have timers of their own. */
const ofServer = /^(contract\/transport|shared\/files|sandbox|server|pages(?!\/browser))\//

/** True for a text that uses a timer or a clock which it did not import from the module of timers. */
function takesGlobalTime(text: string): boolean {
  const clocks = /\b(Date\.now|performance\.now|queueMicrotask|node:timers)\b|new Date\(\)/
  if (clocks.test(text)) return true
  const [, own = ''] = /import \{([^}]*)\} from '[^']*\/timers\.ts'/.exec(text) ?? []
  const used = text.match(/(?<![.\w])((set|clear)(Timeout|Interval|Immediate)|nextTick)\b/g) ?? []
  return /globalThis\.(set|clear)/.test(text) || used.some((name) => !own.split(/[,\s]+/).includes(name))
}
