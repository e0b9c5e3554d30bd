import { join } from 'node:path'
import { Plugin } from '@oclif/core/config'
import { describe, expect, test } from 'vitest'
import { exitMeanings } from '../../src/cli/errors/exit-codes.ts'
import { controls } from '../../src/contract/control/controls/controls.ts'
import { errorTable } from '../../src/contract/errors.ts'
import type { Covers, EvidenceKind } from '../../src/contract/evidence/claim.ts'
import {
  type ClaimName,
  claimGroups,
  claimNames,
  claims,
  countByKind,
  countOfOwn,
} from '../../src/contract/evidence/evidence.ts'
import { specification } from '../../src/contract/evidence/specification.ts'
import { headerNames, limits, sandboxHeaders } from '../../src/contract/headers.ts'
import { operationNames, operations } from '../../src/contract/operations.ts'
import { refusedEnvelope, transactionRecord } from '../../src/contract/records.ts'
import { statusChanges } from '../../src/contract/statuses.ts'
import { applications, cards, outcomes } from '../../src/domain/fixtures.ts'
import { controlHandlers, controlStreams } from '../../src/sandbox/control/handlers.ts'
import { handlers } from '../../src/sandbox/service/handlers.ts'
import { commands, shownCommands } from '../support/commands/manifest.ts'
import { projectFiles, projectRoot, readProjectFile } from '../support/project.ts'
import { sdks } from '../support/sdk/sdks.ts'

const sources = projectFiles('src', /\.tsx?$/)

describe('operations', () => {
  test('each operation has a handler, a command and an entry in the manifest', () => {
    expect(Object.keys(handlers).sort()).toEqual([...operationNames].sort())
    for (const name of operationNames) {
      const { command, summary } = operations[name]
      const source = readProjectFile(`src/cli/commands/${command.replace(' ', '/')}.ts`)
      expect(source).toMatch(new RegExp(`operationCommand\\('${name}'[,)]`))
      expect(commands[command.replace(' ', ':')]?.summary).toBe(`${summary}.`)
    }
  })

  test('the API reference has a section for each operation and names its command', () => {
    const page = readProjectFile('docs/api.md')
    const missing = operationNames.filter((name) => !page.includes(`<!-- generated: operation ${name} -->`))
    expect(missing, 'operations without a section in docs/api.md').toEqual([])
    for (const name of operationNames) {
      const { number, command, method, path } = operations[name]
      expect(page).toMatch(
        new RegExp(`\\| ${number ?? '–'} \\| .*\\| \`${method} ${path}\`.*\\| \`tillbox ${command}\` \\|`),
      )
    }
  })

  test('each control operation has a handler and a row in its document', () => {
    const document = readProjectFile('docs/control-interface.md')
    const served = Object.keys({ ...controlHandlers, ...controlStreams }).sort()
    expect(served).toEqual(Object.keys(controls).sort())
    for (const { method, path } of Object.values(controls))
      expect(document).toContain(`\`${method} ${path}\``)
  })
})

describe('manifest', () => {
  test('the manifest equals what the commands declare', async () => {
    const plugin = new Plugin({ root: projectRoot, ignoreManifest: true, errorOnManifestCreate: true })
    await plugin.load()
    expect(JSON.parse(JSON.stringify(plugin.manifest))).toEqual(
      JSON.parse(readProjectFile('oclif.manifest.json')),
    )
  })

  test('every visible command has a summary under 60 characters and at least two examples', () => {
    expect(shownCommands.length).toBeGreaterThan(100)
    const tooLong = shownCommands.filter(([, { summary }]) => summary.length >= 60)
    const tooFew = shownCommands.filter(([, { examples = [] }]) => examples.length < 2)
    expect([tooLong, tooFew].map((wrong) => wrong.map(([id]) => id))).toEqual([[], []])
  })
})

describe('claims', () => {
  const cited = (prefix: string) =>
    sources.flatMap((name) =>
      [
        ...readProjectFile(`src/${name}`).matchAll(
          new RegExp(`\\b${prefix}: ([a-z0-9-]+(?:, [a-z0-9-]+)*)`, 'g'),
        ),
      ].flatMap(([, list]) => (list as string).split(', ')),
    )
  const ofKind = (kind: EvidenceKind) => claimNames.filter((name) => claims[name].kind === kind)
  /** What sources say of them, without the table itself. */
  const inCode = (prefix: string) => [...new Set(cited(prefix))].filter((name) => name in claims).sort()

  test.each(['assumption', 'public'] as const)('code cites each claim of the kind %s', (kind) => {
    expect(inCode(kind)).toEqual([...ofKind(kind)].sort())
    expect(cited('assumption').filter((name) => !(name in claims))).toEqual([])
  })

  test('each rule of the specification is cited by code or by the title of a test, or is about rows', () => {
    const texts = [
      ...sources.map((name) => readProjectFile(`src/${name}`)),
      ...projectFiles('test', /\.test\.ts$/).map((name) => readProjectFile(`test/${name}`)),
    ]
    const isCited = (name: string) =>
      texts.some((text) => new RegExp(`docs/api\\.md#${name}\\b|api (.*, )?${name}[,:]`).test(text))
    const isAboutRows = (name: ClaimName) => tables.some((table) => claims[name][table] !== undefined)
    expect(ofKind('specification').filter((name) => !isCited(name) && !isAboutRows(name))).toEqual([])
  })

  const shapes = transactionRecord.pipe[0].options.map(({ entries }) => Object.keys(entries))
  const rowsOf = {
    errors: Object.keys(errorTable),
    headers: [...Object.values(headerNames), ...Object.values(sandboxHeaders)],
    fields: [...new Set(operationNames.flatMap((name) => Object.keys(operations[name].input.entries)))],
    record: [...new Set(shapes.flat())],
    envelope: [...Object.keys(refusedEnvelope.entries), 'data'],
    answers: claimNames.flatMap((name) => claims[name].answers ?? []),
    steps: Object.keys(statusChanges),
    limits: Object.keys(limits),
  } as const satisfies Record<keyof Covers, readonly string[]>
  const tables = Object.keys(rowsOf) as (keyof Covers)[]

  test.each(tables)('each row of %s has a claim, and claims are about rows that exist', (table) => {
    const named = claimNames.flatMap((name): readonly string[] => claims[name][table] ?? [])
    expect([...new Set(named)].sort()).toEqual([...rowsOf[table]].sort())
  })

  test('each numbered rule of the API reference is a claim of the specification', () => {
    const numbered = [...readProjectFile('docs/api.md').matchAll(/<a id="((?:[a-z]+)-\d+)"/g)].map(
      ([, anchor = '']) => anchor,
    )
    const rules = numbered.filter((anchor) => !anchor.startsWith('operation-'))
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter((anchor) => !ofKind('specification').some((name) => name === anchor))).toEqual([])
  })

  test('names of claims are unique over their groups', () => {
    const all = [specification, ...Object.values(claimGroups)].flatMap((group) => Object.keys(group))
    expect(all.length).toBe(claimNames.length)
  })
})

describe('documents', () => {
  test('docs/decisions.md lists every package that the command line and the sandbox import, with its reason', () => {
    const names = sources
      .filter((name) => !/^(pages\/browser\/|library\/(vitest|playwright)\.ts$)/.test(name))
      .flatMap((name) => [
        ...readProjectFile(join('src', name)).matchAll(
          /(?:^[^`'"\n]* from|import\() ?'((?:@[\w-]+\/)?[\w-]+)[/']/gm,
        ),
      ])
      .map(([, name = '']) => name)
      .filter((name) => name in JSON.parse(readProjectFile('package.json')).devDependencies)
    expect(names).toContain('@oclif/core')
    const page = readProjectFile('docs/decisions.md')
    for (const name of new Set(names))
      expect(page).toMatch(new RegExp(`\\| ${name.replace('/', '\\/')} \\| .{20,} \\|`))
  })

  test('README.md says how many claims there are, and how many of each kind', () => {
    const kinds = ['specification', 'public', 'assumption'] as const
    const [sentence = ''] = /\d+ claims\. [\s\S]*?own commands/.exec(readProjectFile('README.md')) ?? []
    expect(sentence.match(/\d+/g)?.map(Number)).toEqual([
      claimNames.length,
      ...kinds.map(countByKind),
      countOfOwn,
    ])
  })

  test('README.md names every SDK that the tests run or imitate, with its version', () => {
    const readme = readProjectFile('README.md')
    const { devDependencies } = JSON.parse(readProjectFile('package.json'))
    expect(readme).toMatch(
      new RegExp(`@sunbay/sunbay-nexus-sdk.\\s${devDependencies['@sunbay/sunbay-nexus-sdk']} for Node`),
    )
    for (const { headers } of sdks) {
      const [, name = '', version] = /SDK-(\w+)\/([\d.]+)/.exec(headers['User-Agent'] ?? '') ?? []
      expect(readme).toContain(`${name.replace('CSharp', 'C#')} ${version}`)
    }
  })

  test('docs/command-line.md lists every exit code', () => {
    const page = readProjectFile('docs/command-line.md')
    for (const [code, meaning] of Object.entries(exitMeanings))
      expect(page).toContain(`| ${code} | ${meaning} |`)
  })

  test('docs/terminals.md lists every outcome with its code and amount, and every terminal', () => {
    const page = readProjectFile('docs/terminals.md')
    for (const { name, code, amount } of outcomes)
      expect(page).toContain(`| ${name} | ${code} | ${amount ?? '–'} |`)
    for (const { terminalSn, summary } of applications[0]?.merchants[0]?.terminals ?? [])
      expect(page).toContain(`| ${terminalSn} | ${summary} |`)
  })
})

describe('fixtures', () => {
  test('names of fixtures are unique, and the outcomes that fixtures name exist', () => {
    const names = outcomes.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(cards.map(({ name }) => name)).size).toBe(cards.length)
    const terminals = applications.flatMap(({ merchants }) =>
      merchants.flatMap((merchant) => merchant.terminals),
    )
    expect(new Set(terminals.map(({ terminalSn }) => terminalSn)).size).toBe(terminals.length)
    for (const { outcome } of [...cards, ...terminals])
      if (outcome !== undefined) expect(names).toContain(outcome)
  })

  test('card numbers pass the Luhn check', () => {
    const sum = (number: string) =>
      [...number].reverse().reduce((total, digit, index) => {
        const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
        return total + (value > 9 ? value - 9 : value)
      }, 0)
    for (const { number } of cards) if (number !== undefined) expect(sum(number) % 10).toBe(0)
  })
})
