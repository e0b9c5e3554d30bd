import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFiles, projectRoot, readProjectFile } from '../support/project.ts'

const pages = ['README.md', 'SKILL.md', ...projectFiles('docs', /\.md$/).map((name) => `docs/${name}`)]

/** What a block takes for granted: what stands in blocks before it, the reader's own code, and other packages. */
const surroundings = `import type * as tillbox from 'tillbox'
import type { expect as vitestExpect, vi as vitestMocks } from 'vitest'
declare global {
  const sandbox: tillbox.TestSandbox
  const client: tillbox.ServiceClient
  const createSandbox: typeof tillbox.createSandbox
  const connectSandbox: typeof tillbox.connectSandbox
  const createClient: typeof tillbox.createClient
  const useSandbox: typeof import('tillbox/jest').useSandbox
  const sandboxTest: typeof import('tillbox/vitest').sandboxTest
  const expect: typeof vitestExpect
  const vi: typeof vitestMocks
  const [url, apiKey, appId, merchantId, terminalSn, secret]: string[]
  const startShop: any, openShop: any, shop: any, database: any, isGenuine: any
  type Shop = any
  const [test, it, describe, before, beforeEach]: any[]
  const cy: any, GenericContainer: any, Wait: any
}
`

/** The members of a sandbox that docs/library.md lists in its tables, as expressions. */
function listedMembers(): string[] {
  const text = readProjectFile('docs/library.md').replaceAll('\\|', '')
  const owners = {
    member: 'sandbox',
    'of a terminal': 'sandbox.terminal()',
    'of webhooks': 'sandbox.webhooks',
  }
  const calls = (cell: string) => [...cell.matchAll(/`(?:await )?(\w+)[`(]/g)].map(([, name]) => name)
  return Object.entries(owners).flatMap(([head, owner]) => {
    const [, rows = ''] = text.split(`\n| ${head} |`)[1]?.match(/^[^\n]*\n\|[-|]+\n((?:\|.*\n)+)/) ?? []
    return rows.split('\n').flatMap((row) => {
      const [, first = '', second = ''] =
        row.split(' | ').length > 1 ? ['', ...row.slice(2).split(' | ')] : []
      const own = calls(first).filter((name) => name !== 'using')
      const [of] = own
      const inside = /^`\w+(\(sessionId\))?`$/.test(first)
        ? [...second.matchAll(/(?:`|, )(\w+)\(/g)].map(
            ([, name]) => `${of}${first.includes('(') ? "('1')" : ''}.${name}`,
          )
        : []
      return [...own, ...(owner === 'sandbox' ? inside : [])].map((name) => `${owner}.${name}`)
    })
  })
}

describe('what documents show of the library', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-documents-'))
  let output = ''
  afterAll(() => rmSync(folder, { recursive: true }))

  beforeAll(() => {
    const source = (name: string) => [join(projectRoot, `src/library/${name}.ts`)]
    const runners = ['vitest', 'jest', 'node-test', 'playwright']
    const paths = {
      tillbox: source('index'),
      ...Object.fromEntries(runners.map((name) => [`tillbox/${name}`, source(name)])),
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(projectRoot, 'tsconfig.json'),
        compilerOptions: {
          paths,
          noImplicitAny: false,
          noUnusedLocals: false,
          noUncheckedIndexedAccess: false,
          verbatimModuleSyntax: false,
        },
        include: ['.'],
      }),
    )
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'surroundings.d.ts'), surroundings)
    for (const page of pages) {
      const blocks = [...readProjectFile(page).matchAll(/^```(?:ts|js)\n([\s\S]*?)```/gm)]
      mkdirSync(join(folder, page, '..'), { recursive: true })
      for (const [index, [, block = '']] of blocks.entries()) {
        const module = block.replace(/^const (\{.*\}) = require\((.*)\)$/gm, 'import $1 from $2')
        writeFileSync(join(folder, `${page}-${index + 1}.ts`), `${module}\nexport {}\n`)
      }
    }
    writeFileSync(
      join(folder, 'docs/library.md-tables.ts'),
      listedMembers()
        .map((member) => `void ${member}\n`)
        .join(''),
    )
    try {
      execFileSync(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      output = (error as { stdout: string }).stdout
    }
  }, 120_000)

  test('blocks of code compile against the types of the package', () => {
    expect(output.split('\n').filter((line) => line.includes(basename(folder)))).toEqual([]) // what it imports is compiled strictly
  })

  test('the members that docs/library.md lists are found in its tables', () => {
    expect(listedMembers()).toEqual(
      expect.arrayContaining([
        'sandbox.webhookSecret',
        'sandbox.clock.advance',
        "sandbox.checkout('1').pay",
        'sandbox.terminal().waitForScreen',
        'sandbox.webhooks.hold',
        'sandbox.close',
      ]),
    )
  })
})
