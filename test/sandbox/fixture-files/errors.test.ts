import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FixturesError } from '../../../src/sandbox/fixture-files/fixtures-problems.ts'
import type { FixturesFile } from '../../../src/sandbox/fixture-files/fixtures-schema.ts'
import { readFixtures } from '../../../src/sandbox/fixture-files/read-fixtures.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { temporaryFolder } from '../../support/service/service.ts'

/** What is wrong with that text in a file of that name; the folder is left out. */
async function problemsOf(name: string, text: string): Promise<readonly string[]> {
  const folder = temporaryFolder()
  const path = join(folder, name)
  writeFileSync(path, text)
  return problemsAt(path, folder)
}

async function problemsAt(path: string, folder = path): Promise<readonly string[]> {
  try {
    await readFixtures(path)
  } catch (error) {
    if (!(error instanceof FixturesError)) throw error
    return error.problems.map((line) => line.replace(`${folder}/`, '').replace(folder, '<folder>'))
  }
  return []
}

const application = (inside: string) => `applications:
  - appId: app-1
    webhookSecret: whsec_dGVhLWhvdXNlLXRva3lvLW9ubHktZm9yLXRlc3Rz
    keys:
      - key: own_sandbox_key
    merchants:
      - merchantId: M-1
${inside}`

test('a list that no person wrote is refused before its entries are looked at', async () => {
  const outcomes = JSON.stringify({ outcomes: Array.from({ length: 10_001 }, () => ({})) })
  const full = ['fixtures.json:1: outcomes: has 10001 entries, of 10000 at most']
  expect(await problemsOf('fixtures.json', outcomes)).toEqual(full)
})

describe('a mistake in a file', () => {
  const merchant = 'applications[0].merchants[0]'
  const reserved = 'must not be a name that JavaScript reserves'

  test.each<[text: string, problem: string]>([
    [application('        timezone: UTC\n'), `8: ${merchant}.timezone: is unknown; did you mean timeZone?`],
    [
      application('        timeZone: Asia/Tokyoo\n'),
      '8: applications[0].merchants[0].timeZone: must be a time zone that this Node.js knows, such as Europe/Berlin',
    ],
    ['cards: 5\n', '1: cards: must be a list'],
    ...['constructor', 'prototype', 'toString'].map((name): [string, string] => [
      application('').replace('app-1', name),
      `2: applications[0].appId: ${reserved}`,
    ]),
    [application('').replace('M-1', 'constructor'), `7: ${merchant}.merchantId: ${reserved}`],
    [
      application('        details: { createTime: "2026-99-99T99:99:99" }\n'),
      '8: applications[0].merchants[0].details.createTime: must be a time that exists',
    ],
    [
      'cards:\n- name: my\n  number: 3566002020360505\n',
      '3: cards[0].number: must be text: put it in quotes',
    ],
    [
      'cards:\n  - name: mine\n    paymentMethod: JCB\n    number: "3566002020360506"\n',
      '4: cards[0].number: does not pass the Luhn check: its last digit is wrong',
    ],
    [
      'cards:\n  - name: mine\n    paymentMethod: VISA\n    number: "4111111111111111"\n',
      '4: cards[0].number: is already used by card visa-contactless',
    ],
    [
      'cards:\n  - name: visa-declined\n    outcome: do-not-honour\n',
      '3: cards[0].outcome: there is no outcome do-not-honour; did you mean do-not-honor?',
    ],
    [
      application('        terminals:\n          - terminalSn: T-1\n            card: visa-contactles\n'),
      '10: applications[0].merchants[0].terminals[0].card: there is no card visa-contactles; did you mean visa-contactless?',
    ],
    [
      'outcomes:\n  - { name: mine, code: "091", message: Down, status: FAIL, amount: 9823 }\n',
      '2: outcomes[0].amount: is already used by outcome do-not-honor',
    ],
    [
      application('        terminals:\n          - terminalSn: TBX-AUTO-001\n'),
      '9: applications[0].merchants[0].terminals[0].terminalSn: is already used by merchant M1000000001',
    ],
    [
      application('').replace('M-1', 'M1000000001'),
      '7: applications[0].merchants[0].merchantId: is already used by application tbxapp0000000001',
    ],
    [
      application('').replace('own_sandbox_key', 'tbx_sandbox_5f3c9a71e24b4d08'),
      '5: applications[0].keys[0].key: is already used by application tbxapp0000000001',
    ],
    ['outcomes:\n- name: approve\n- name: approve\n', '3: outcomes[1].name: is already used by outcomes[0]'],
    [
      'outcomes:\n- name: mine\n  message: Down\n  status: FAIL\n',
      '2: outcomes[0].code: is required: mine is not known yet',
    ],
    ['outcomes:\n- name: approve\n  status: FAIL\n', '3: outcomes[0].status: must be SUCCESS for approve'],
    [
      application('').replace('key: own_sandbox_key', 'key: own_key_1234\n        environment: production'),
      '4: applications[0].keys: has no key of the sandbox environment that does not expire',
    ],
    ['cards:\n  - name: [mine\n', '3: is not YAML: '],
    ['# nothing\n', '1: must be an object with applications, cards or outcomes'],
  ])('%j is reported with line and path: %s', async (text, problem) => {
    const [first, ...others] = await problemsOf('a.yaml', text)
    const said = `a.yaml:${problem}`
    expect([first?.slice(0, said.length), others]).toEqual([said, []])
  })

  test('a mistake in JSON is reported with its line', async () => {
    const cards = [{ name: 'visa-declined' }, { name: 'mine', outcom: 'x' }]
    const problems = await problemsOf('a.json', JSON.stringify({ cards }, null, 2))
    expect(problems).toEqual(['a.json:8: cards[1].outcom: is unknown; did you mean outcome?'])
  })

  test.each([
    ['{\n  "cards": [\n    oops\n  ]\n}\n', 3],
    ['{\n  "cards": [1, 2,],\n  "outcomes": []\n}\n', 2],
    ['{\n  "cards": [\n', 2],
    ['', 1],
  ])('JSON that cannot be read is reported with its line: %j', async (text, line) => {
    const [problem, ...others] = await problemsOf('a.json', text)
    expect([problem, others]).toEqual([expect.stringMatching(`^a\\.json:${line}: is not JSON: `), []])
  })

  test.each([
    ['cards: []\n---\ncards: []\n', '2', 'it has a second document after ---; make it a file of its own'],
    [`cards: ${'['.repeat(10_000)}`, '1', 'it is nested too deeply: 100 levels at most'],
  ])('several documents, and YAML that is nested too deeply, are refused: %#', async (text, line, why) => {
    expect(await problemsOf('b.yaml', text)).toEqual([`b.yaml:${line}: is not YAML: ${why}`])
  })

  test('at most ten mistakes are reported at once, in the order of their lines', async () => {
    const cards = Array.from({ length: 12 }, (_, index) => `  - name: card-${index}\n    colour: red\n`)
    const problems = await problemsOf('a.yaml', `outcomes: 1\ncards:\n${cards.join('')}`)
    expect(problems).toHaveLength(11)
    expect(problems[0]).toBe('a.yaml:1: outcomes: must be a list')
    expect(problems[1]).toMatch(/^a\.yaml:4: cards\[0\]\.colour: is unknown/)
    expect(problems[10]).toBe('and 3 more')
  })

  test('with extends: false the outcomes, cards and applications that every sandbox needs are required', async () => {
    expect(await problemsOf('a.yaml', 'extends: false\n')).toEqual([
      'a.yaml:1: outcomes: has no approve, which every sandbox needs',
      'a.yaml:1: outcomes: has no already-settled, which every sandbox needs',
      'a.yaml:1: outcomes: has no pin-tries-exceeded, which every sandbox needs',
      'a.yaml:1: outcomes: has no no-card-fits, which every sandbox needs',
      'a.yaml:1: cards: has none; a terminal needs one to present',
      'a.yaml:1: applications: has none; a client needs one',
    ])
  })

  test('a mistake in an object is reported with its path and without a line', async () => {
    const wrong = { cards: [{ name: 'visa-declined', outcom: 'x' }] } as unknown as FixturesFile
    const message = 'fixtures: cards[0].outcom: is unknown; did you mean outcome?'
    await expect(readFixtures(wrong)).rejects.toThrow(message)
  })
})

describe('a folder of fixtures', () => {
  test('a folder may hold lists or objects in JSON and YAML, and other files are ignored', async () => {
    const folder = folderWith({
      'cards.json': '[{ "name": "visa-declined", "outcome": "own" }]',
      'outcomes.yml': '- { name: own, code: "091", message: Own, status: FAIL }\n',
      'merchants.yaml': application('        timeZone: Asia/Tokyo\n'),
      'package.json': '{}',
      'README.md': '',
    })
    const { cards, outcomes, applications } = await readFixtures(folder)
    expect(cards.find(({ name }) => name === 'visa-declined')?.outcome).toBe('own')
    expect(outcomes.at(-1)?.name).toBe('own')
    expect(applications.at(-1)?.merchants[0]?.timeZone).toBe('Asia/Tokyo')
  })

  test('a mistake in a bare list is reported with the path of its member', async () => {
    const folder = folderWith({ 'merchants.yaml': '- appId: app-1\n- appId: app-2\n  keyes: []\n' })
    const [problem] = await problemsAt(folder)
    expect(problem).toBe('merchants.yaml:3: applications[1].keyes: is unknown; did you mean keys?')
  })

  test('a wrong reference between two files is reported for the file that refers', async () => {
    const cards = '- { name: visa-declined, outcome: own }\n'
    const [problem] = await problemsAt(folderWith({ 'cards.yaml': cards, 'outcomes.json': '[]' }))
    expect(problem).toMatch(/^cards\.yaml:1: cards\[0\]\.outcome: there is no outcome own/)
  })

  test.each([
    [{ 'card.yaml': '[]', 'outcomes.yaml': '[]' }, 'card.yaml: is not read; did you mean cards.yaml?'],
    [{ 'cards.yaml': '[]', 'cards.json': '[]' }, '<folder>: cards.json and cards.yaml exclude each other'],
    [
      { 'other.txt': '' },
      '<folder>: holds none of fixtures, merchants, cards, outcomes, each with .json, .yaml, .yml',
    ],
  ])('a folder with %j is refused', async (files, problem) => {
    expect(await problemsAt(folderWith(files))).toEqual([problem])
  })

  test('a missing path and a file of another kind are refused', async () => {
    const folder = folderWith({ 'notes.txt': '' })
    expect((await problemsAt(join(folder, 'none.yaml'), folder))[0]).toMatch(/^none\.yaml: it does not exist/)
    const problem = ['notes.txt: is not a fixtures file; its name must end with .json, .yaml, .yml']
    expect(await problemsAt(join(folder, 'notes.txt'), folder)).toEqual(problem)
  })
})

describe('assumption field-reading: a text that can be read in two ways', () => {
  const nearOne = '0.9999999999999999999'
  test.each([
    ['a.json', '{"version":1,"version":1}', 'a.json: version is there twice'],
    ['a.json', '{"version":1.0}', 'a.json: version is written as 1.0; write the integer 1'],
    ['a.yaml', 'cards: []\nversion: 1e0\n', 'a.yaml:2: a number is written as 1e0; write the integer 1'],
    ['a.yaml', `version: ${nearOne}\n`, `a.yaml:1: a number is ${nearOne}, which is read as 1`],
  ])('%s with %j is refused', async (name, text, problem) => {
    expect(await problemsOf(name, text)).toEqual([expect.stringContaining(problem)])
  })
})
