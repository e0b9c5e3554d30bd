import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readScenario } from '../../../src/testing/scenario/file/read-scenario.ts'
import { ScenarioError } from '../../../src/testing/scenario/file/scenario-error.ts'
import { fileWith } from '../../support/commands/scratch.ts'

const write = (text: string, name = 'shop.yaml') => fileWith(name, text)

const problemsOf = async (text: string, name?: string): Promise<readonly string[]> => {
  const error = await readScenario(write(text, name), 'shop.yaml').catch((thrown) => thrown)
  if (!(error instanceof ScenarioError)) throw new Error(`it was read: ${JSON.stringify(error)}`)
  return error.problems
}

test('a scenario is read, in YAML or JSON, with its steps, their names and places, its options and its minor units', async () => {
  const scenario = await readScenario(
    write('steps:\n  - sale: { amount: 10.00 USD }\n    as: sale\n    fault: lost-answer\n  - void: $sale\n'),
  )
  expect(scenario).toMatchObject({ name: 'shop', needs: 'sandbox', setup: [], teardown: [] })
  expect(scenario.steps).toEqual([
    { action: 'sale', value: { amount: '10.00 USD' }, as: 'sale', fault: 'lost-answer', path: ['steps', 0] },
    { action: 'void', value: '$sale', path: ['steps', 1] },
  ])
  expect(await scenario.positionOf(['steps', 1, 'void'])).toEqual({ line: 5, column: 5 })
  const path = write('sandbox: { retries: [50, 1s], fixtures: own.yaml }\nsteps:\n  - batch close:\n')
  const fixtures = join(dirname(path), 'own.yaml')
  writeFileSync(fixtures, 'cards: []\n')
  expect((await readScenario(path)).sandbox).toEqual({ retries: [50, 1000], fixtures })
  const asJson = await readScenario(write('\uFEFF{"steps":[{"batch close":null}]}', 'a.json'))
  expect(asJson.steps).toMatchObject([{ action: 'batch close', value: null }])
  const text =
    'cases: [{ amount: { minor: 2500 }, rate: 1.50 }]\nsteps:\n  - sale: { amount: $case.amount, description: $case.rate }\n'
  expect((await readScenario(write(text))).cases).toEqual([{ amount: { minor: 2500 }, rate: 1.5 }])
})

const caseAmount = 'steps:\n  - sale: { amount: $case.amount }\n'
const tenDollars = { sale: { amount: '10.00 USD' } }

test.each(
  Object.entries<readonly [text: string, problem: string, name?: string]>({
    'a number as an amount in JSON': [
      '{"steps":[{"sale":{"amount":25.00}}]}',
      ':1:20: steps[0].sale.amount: 25 has no currency. Write 25.00 USD, or { minor: 25 } for 0.25 USD',
      'shop.json',
    ],
    'a number as an amount in a case': [
      `cases: [{ amount: 0.10 }]\n${caseAmount}`,
      ':1:11: cases[0].amount: 0.1 has no currency. Write 0.10 USD',
    ],
    'an amount of a case with too many decimals': [
      `cases:\n  - { amount: 1.000 USD }\n${caseAmount}`,
      ':2:7: cases[0].amount: 1.000 has too many decimals: USD has 2. Write an amount such as 10.00 USD',
    ],
    'a value that a case lacks, where it is used': [
      `cases: [{ amount: 1.00 USD }, { amunt: 1 }]\n${caseAmount}`,
      ':3:13: steps[0].sale.amount: case 2 has no amount',
    ],
    'several documents, with the line of the second': [
      'steps:\n  - batch close:\n---\nsteps: []\n',
      ':3:1: is not YAML: it has a second document after ---; make it a file of its own',
    ],
    'too many steps of YAML': [
      `steps:\n${'  - sale: {amount: 10.00 USD}\n'.repeat(40_000)}`,
      ': has more than 1 MiB of YAML; split it, or write it as JSON',
    ],
    'too many steps of JSON': [
      JSON.stringify({ steps: Array(40_000).fill(tenDollars) }),
      ':1:1: steps: has 40000 entries, of 10000 at most',
      'shop.json',
    ],
  }),
)('a scenario is refused with its only problem: %s', async (_, [text, problem, name]) =>
  expect(await problemsOf(text, name)).toEqual([`shop.yaml${problem}`]),
)

test.each(
  Object.entries({
    '- sale: { amont: 1 }': '2:11: steps[0].sale.amont: is unknown; did you mean amount?',
    '- sal: { amount: 1.00 USD }': '2:3: steps[0]: unknown action sal; did you mean sale?',
    '- sale: { amount: 1.00 USD, outcome: expired-card }':
      'steps[0].sale.outcome: is unknown; write it beside sale, not in it',
    '- capture: $sale': '2:3: steps[0]: unknown action capture; did you mean post-auth?',
    '- title: Sell\n  sal: { amount: 1.00 USD }': '2:3: steps[0]: unknown action sal; did you mean sale?',
    '- title: Sell': '2:3: steps[0]: has no action, such as sale: { amount: 10.00 USD }',
    '- sale: { amount: 1.00 USD }\n  expect: { record: { transactionAmount: { gt: 25.5 } } }':
      '3:44: steps[0].expect.record.transactionAmount.gt: 25.5 has no currency. Write 25.50 USD',
    '- sale: { amount: 1.00 USD }\n  expect: { record: { transactionAmount: { gt: 10.00 USX } } }':
      '3:44: steps[0].expect.record.transactionAmount.gt: 10.00 USX: USX is not an active ISO 4217 currency',
    '- sale: { amount: 1.00 USD }\n  void: x':
      '2:3: steps[0]: has two actions, sale and void: make them two steps',
    '- 5': '2:3: steps[0]: must be a step, such as sale: { amount: 10.00 USD }',
    '- sale: { amount: 1.00 USD }\n  wait: soon': '3:3: steps[0].wait: must be a time with its unit',
    '- sale: { amount: 1.00 USD }\n  wait: "5"': '3:3: steps[0].wait: must be a time with its unit',
    '- sale: { amount: 1.00 USD }\n  expect: { status: good }':
      '3:13: steps[0].expect.status: must be approved, declined, closed, pending, or a status of the service',
    '- query: x\n  expect: { sttus: S }': 'steps[0].expect.sttus: is unknown; did you mean status?',
    '- sale: { amount: 1.00 USD }\n  as: 1st': '3:3: steps[0].as: must be a name of letters',
    '- void: $sale': '2:3: steps[0].void: nothing before is named sale',
    '- void: $sale\n- sale: { amount: 1.00 USD }\n  as: sale':
      '2:3: steps[0].void: nothing before is named sale',
    '- sale: { amount: $case.amount }': 'the scenario has no cases',
    '- clock: sometimes': 'steps[0].clock: must be freeze, resume, reset',
    '- sale: 10.00 USD': '2:3: steps[0].sale: must have no value, or members',
    '- wait until: { screen: menu }': 'steps[0].wait until.screen',
    '- terminal sign:\n  expect: { status: declined }':
      '3:13: steps[0].expect.status: is unknown; the names are code, lost, answer, error',
    '- clock: freeze\n  expect: { record: {} }': 'steps[0].expect.record: is unknown',
    '- wait until: { payment: "1" }\n  expect: { code: C17 }': '.expect.code: is unknown',
    '- wait until: { screen: idle }\n  expect: { record: {} }':
      '2:3: steps[0]: has expect, which only a wait for a payment compares',
    '- webhook: {}\n  expect: { code: "0" }': 'steps[0].expect: is unknown',
    '- sale: { amount: 1.00 USD }\n  expect: { lost: true, status: approved }':
      '3:3: steps[0].expect: has lost: true, beside which nothing can be compared',
    '- checkout create:\n  wait: 30s': 'steps[0].wait: is unknown',
    '- wait until: { webhooks: delivered, screen: idle }':
      '2:3: steps[0].wait until: waits for more than one thing: make them two steps',
    '- wait until: { within: 1s }':
      '2:3: steps[0].wait until: must have a payment, terminal, screen, session, state or webhooks',
    '- receiver: { status: 99 }': '2:15: steps[0].receiver.status: must be a whole number from 200 to 599',
    '- receiver: { status: 500, times: 0 }': 'steps[0].receiver.times: must be a whole number from 1',
    '- sale: { amount: 1.00 USD }\n  expect: { record: { authCode: { not: { is: txt } } } }':
      '3:42: steps[0].expect.record.authCode.not.is: must be text, number, boolean, list, object, null, any or absent',
    '- webhook: { body: { attach: { matches: "(" } } }':
      'steps[0].webhook.body.attach.matches: must be a regular expression',
    '- wait until: { status: approved }': 'wait until: has a status, and no payment',
    '- clock: { advance: 1d, set: "2027-01-01T00:00:00Z" }':
      '2:3: steps[0].clock: must have one of advance and set',
  }),
)('the step %j is refused with file, line and column: %s', async (steps, problem) => {
  const [first = '', ...more] = await problemsOf(`steps:\n${steps}\n`)
  expect(more).toEqual([])
  expect(first).toContain(problem)
  expect(first).toMatch(/^shop\.yaml:\d+:\d+: /)
})

test.each(
  Object.entries({
    'sandbox: { retires: fast }': '1:12: sandbox.retires: is unknown; did you mean retries?',
    'sandbox: { port: 8455 }': '1:12: sandbox.port: is unknown',
    'sandbox: strict': '1:1: sandbox: must be an object',
    'sandbox:\n  dialect: old': '2:3: sandbox.dialect: must be auto or spec or sdk',
    'sandbox: { strict: 1 }': '1:12: sandbox.strict: must be true or false',
    'sandbox: { retries: [50, soon] }': '1:26: sandbox.retries[1]: must be',
    'sandbox: { retries: slow }': "1:12: sandbox.retries: must be 'none', 'fast'",
    'sandbox: { pace: 5 parsecs }': '1:12: sandbox.pace: must be instant, milliseconds such as 800',
    'sandbox: { captureTip: 1001 }': 'sandbox.captureTip: must be at most 1000',
    'sandbox:\n  fixtures: { cards: [{ name: x, nam: y }] }': 'sandbox.fixtures.cards[0].nam: is unknown',
    'sandbox:\n  fixtures: { cards: [{ name: own-card }] }': 'sandbox.fixtures.cards[0]',
    'sandbox: { fixtures: 5 }': '1:12: sandbox.fixtures: must be a path, or fixtures',
    'sandbox: { fixtures: ./none.yaml }': '1:12: sandbox.fixtures: /',
    'needs: any\nsandbox: { strict: true }':
      '2:1: sandbox: only a sandbox does this: leave it out, or write needs: sandbox',
  }),
)('the options %j are refused with file, line and column: %s', async (options, problem) => {
  const problems = await problemsOf(`${options}\nsteps:\n  - sale: { amount: 1.00 USD }\n`)
  expect(problems.join('\n')).toContain(problem)
  expect(problems.filter((each) => !/^shop\.yaml:\d+:\d+: sandbox/.test(each))).toEqual([])
})

test('several problems are listed in the order of their lines, with the number of further ones, however many', async () => {
  const wrong = Array.from({ length: 12 }, () => '  - sale: { amont: 1 }').join('\n')
  const problems = await problemsOf(`steps:\n${wrong}\n`)
  expect(problems).toHaveLength(11)
  expect(problems[0]).toContain('shop.yaml:2:13')
  expect(problems.at(-1)).toBe('and 2 more')
  const very = await problemsOf(JSON.stringify({ steps: Array(5_000).fill({ sale: 1 }) }), 'shop.json')
  expect(very).toHaveLength(11)
  expect(very[0]).toContain('steps[0]')
  expect(very.at(-1)).toBe('and 4990 more')
})

test.each([
  ['shop.yaml', '['.repeat(10_000), 'YAML'],
  ['shop.json', `{"steps":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'usable'],
])('a file that is nested too deeply is refused with that reason: %s', async (name, text, what) => {
  const [problem, ...others] = await problemsOf(text, name)
  expect(problem).toMatch(
    new RegExp(`^shop\\.yaml(:1(:\\d+)?)?: is not ${what}: it is nested too deeply: 100 levels at most$`),
  )
  expect(others).toEqual([])
})

test('a text that is not YAML is refused with a hint about references in braces', async () => {
  const [problem] = await problemsOf('steps:\n  - void: { original: $\u007bsale} }\n')
  const said = /^shop\.yaml:2:\d+: is not YAML: .*A reference that is not in quotes is written \$name$/
  expect(problem).toMatch(said)
})

test('an outcome that its sandbox does not have is told before, unless the step expects a refusal', async () => {
  const step = (outcome: string, more = '') =>
    `  - sale: { amount: 1.00 USD }\n    outcome: ${outcome}\n${more && `    expect: ${more}\n`}`
  const own = 'sandbox:\n  fixtures: { outcomes: [{ name: own, code: "091", message: Own, status: FAIL }] }\n'
  const text = `${own}cases: [{ ends: approve }]\nsteps:\n${step('own')}${step('$case.ends')}${step('decline')}${step('no', '{ code: SBX_OUTCOME }')}`
  const read = (more: string, runsAlone: boolean) => readScenario(write(text + more), 'shop.yaml', runsAlone)
  await read('', true)
  const mistyped = step('lost-crad')
  await read(mistyped, false)
  const said = 'steps[4].outcome: there is no outcome lost-crad; did you mean lost-card?'
  await expect(read(mistyped, true)).rejects.toThrow(said)
})

test('a step that only a sandbox can do is refused in a scenario for any service', async () => {
  const problems = await problemsOf(
    'needs: any\nsteps:\n  - clock: freeze\n  - sale: { amount: 1.00 USD }\n    outcome: approve\n  - wait until: { screen: idle }\n',
  )
  expect(problems).toHaveLength(3)
  for (const problem of problems) expect(problem).toContain('only a sandbox does this')
})

test.each([
  ['name: x\n', 'steps: is required'],
  ['steps: []\n', 'steps: must have a step'],
  ['stepz: []\nsteps: [{ batch query: }]\n', 'stepz: is unknown; did you mean steps?'],
  ['- sale:\n', 'shop.yaml:1:1: must be an object with steps'],
  ['', 'shop.yaml:1:1: must be an object with steps'],
  ['needs: all\nsteps: [{ batch query: }]\n', 'needs: must be sandbox or any'],
])('the scenario %j is refused: %s', async (text, problem) =>
  expect((await problemsOf(text)).join('\n')).toContain(problem),
)

test('a missing file and a file of another kind are refused', async () => {
  await expect(readScenario('none.yaml')).rejects.toThrow('none.yaml: it does not exist')
  await expect(readScenario(write('', 'a.txt'), 'a.txt')).rejects.toThrow('a.txt: is not a scenario')
})
