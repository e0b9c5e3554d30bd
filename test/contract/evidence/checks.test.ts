import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorTable } from '../../../src/contract/errors.ts'
import {
  checksOf,
  claimsOf,
  type RuleCheck,
  refusedBy,
  ruleOrder,
} from '../../../src/contract/evidence/checks.ts'
import { claimNames, claims, claimsAbout } from '../../../src/contract/evidence/evidence.ts'
import { explainError, explainName } from '../../../src/contract/evidence/explain.ts'
import { type OperationName, operationNames } from '../../../src/contract/operations.ts'
import { projectFiles, readProjectFile } from '../../support/project.ts'

/** Files with what refuses by a rule. */
const ruleFiles = [
  ...projectFiles('src/domain/rules', /\.ts$/).map((name) => `src/domain/rules/${name}`),
  'src/contract/amounts.ts',
]

/** The functions of the rules, by name: their text after the name. */
const functions = new Map(
  ruleFiles.flatMap((file) =>
    readProjectFile(file)
      .split(/^(?=(?:export )?(?:function|const|type|interface) |\/\*\*)/m)
      .flatMap((text) => {
        const [head, name] = /^(?:export )?(?:function|const) (\w+)/.exec(text) ?? []
        return name === undefined || head === undefined ? [] : [[name, text.slice(head.length)] as const]
      }),
  ),
)

/** A refusal in a text: its code, and its note as far as the text has it. */
interface Refused {
  readonly code: ErrorCode
  readonly note: string
}

/** The refusal that a call is, by the name of its function and the text of its arguments. */
function refusalOf(called: string, given: string): Refused | undefined {
  const [, first = '', second = ''] = /^\s*'([^']*)',?\s*['`]?([\s\S]*)/.exec(given) ?? []
  if (called === 'rejectField' || called === 'rejectSaying')
    return { code: 'C17', note: first === '' ? given : `${first}: ${second}` }
  if (called === 'refuseState' || called === 'refuseWhile') return { code: 'SBX_NOT_ALLOWED', note: given }
  if (called === 'requireAtMost') return { code: 'SBX_OVER_CAPTURE', note: '' }
  if (!(first in errorTable)) return undefined
  if (called === 'refuseOriginal') return { code: first as ErrorCode, note: 'originalTransactionId' }
  return called === 'reject' || called === 'refuseFor'
    ? { code: first as ErrorCode, note: second }
    : undefined
}

/** The text up to the parenthesis that closes. */
function withinParentheses(text: string): string {
  let depth = 1
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return text.slice(0, index)
  }
  return text
}

/** What refuses in a text and in the functions that it calls, in the order in which they are called. */
function refusalsIn(text: string, path: readonly string[]): Refused[] {
  const found: Refused[] = []
  const calls = /\b(\w+)\(/g
  for (let match = calls.exec(text); match !== null; match = calls.exec(text)) {
    const called = match[1] as string
    const given = withinParentheses(text.slice(calls.lastIndex))
    const refused = refusalOf(called, given)
    if (refused === undefined) found.push(...refusalsIn(given, path), ...refusalsBy(called, path))
    else found.push(refused)
    calls.lastIndex += given.length
  }
  return found
}

const refusalsBy = (name: string, path: readonly string[] = []): Refused[] =>
  path.includes(name) ? [] : refusalsIn(functions.get(name) ?? '', [...path, name])

/** The rule of each operation, and the function that refuses by it. */
const rules: Readonly<Partial<Record<OperationName, string>>> = {
  sale: 'pay',
  'incremental-auth': 'incrementalAuth',
  'post-auth': 'postAuth',
  void: 'voidTransaction',
  abort: 'abort',
  'tip-adjust': 'tipAdjust',
  'create-session': 'createSession',
  'expire-session': 'expireSession',
  'online-refund': 'refundOnline',
  'batch-close': 'closeBatch',
}

/** Checks that the service makes before its rules. */
const ofService: readonly RuleCheck[] = ['unlinked', 'noSettlementFault']

describe('the order of checks is that of the rules', () => {
  test.each([
    ...Object.entries(rules).map(([name, rule]) => [name, rule, false] as const),
    ['refund', 'referenced', false] as const,
    ['refund', 'unreferenced', true] as const,
  ])('%s: %s', (name, rule, isFree) => {
    const checks = checksOf(name as OperationName, { isFree })
    const names = ruleOrder[isFree ? 'free-refund' : (name as OperationName)]
    const first = checks.length - 1 - names.length // the last one is that it is stored
    const order = refusalsBy(rule)
      .map(({ code, note }) => refusedBy(checks, code, note) - first)
      .filter((index) => index >= 0)
    expect(order).toEqual([...order].sort((one, other) => one - other))
    expect(names.filter((each, index) => !order.includes(index) && !ofService.includes(each))).toEqual([])
  })
})

describe('every error code', () => {
  test.each(Object.keys(errorTable) as ErrorCode[])(
    '%s has its claims, its HTTP status and its remedy',
    (code) => {
      const { remedy, steps, claims } = explainError(code)
      expect(steps[0]?.detail).toContain(String(errorTable[code].status))
      expect(remedy).toBe(errorTable[code].remedy)
      expect(claims.map(({ name }) => name)).toContain('envelope')
      expect(explainName(code.toLowerCase())).toEqual(explainError(code))
    },
  )
})

describe('the setting that changes an error', () => {
  test.each([
    ['SBX_BATCH_EMPTY', 'batch-close', null],
    ['SBX_NO_CURRENCY', 'fixtures', '`--fixtures`, with'],
    ['SBX_SNAP_NONE', 'restore', null],
    ['SBX_TOKEN', 'sandbox-token', '`--token`'],
    ['SBX_TOKEN_NONE', 'sandbox-token', null],
    ['SBX_TERM_AUTO', 'attended-terminal', '`tillbox terminal set`'],
    ['SBX_TERM_SCREEN', 'attended-terminal', null],
    ['SBX_OTHER_OWNER', 'parties', null],
    ['SBX_UNREGISTERED', 'parties', '`terminals: open`'],
  ] as const)('of %s, by %s, is %s', (code, claim, setting) => {
    const found = explainError(code).claims.find(({ name }) => name === claim)
    expect(found?.setting?.slice(0, setting?.length) ?? null).toBe(setting)
  })

  test.each(claimNames)('%s names no error twice, and none that it is not about', (name) => {
    const { errors = [], unchanged = [] } = claims[name]
    expect(errors).toEqual(expect.arrayContaining([...unchanged]))
  })
})

describe('a name', () => {
  test.each([...operationNames, ...claimNames])('%s is explained without a link', (name) => {
    const answer = explainName(name)
    expect(answer?.claims.length).toBeGreaterThan(0)
    expect(JSON.stringify(answer)).not.toMatch(/\]\(|undefined|\*\*/)
  })

  test('of a member, a header, a limit or a status step says what it is, in any case', () => {
    expect(explainName('refundableamount')?.summary).toBe(
      'refundableamount is a member of the transaction record.',
    )
    expect(explainName('amount')?.summary).toBe(
      'amount is a member of requests, a member of the transaction record, a limit.',
    )
    expect(explainName('x-timestamp')?.claims.map(({ source }) => source)).toEqual(['Authentication 3'])
    expect(explainName('captureTip')?.claims[0]?.setting).toContain('captureTip')
    expect(explainName('taken-up')?.claims.map(({ name }) => name)).toEqual(['statuses'])
    expect(explainName('nothing')).toBeUndefined()
  })
})

describe('what a check rests on', () => {
  const all = operationNames.flatMap((name) =>
    [checksOf(name), checksOf(name, { isFree: true })].flat().map((check) => ({ name, check })),
  )

  test('each refusal of each operation has a claim, and none about other operations', () => {
    const without = all.flatMap(({ name, check }) =>
      Object.keys(check.refuses)
        .filter((code) => claimsOf(check, [name], [code]).length === 0)
        .map((code) => `${name}: ${check.what}: ${code}`),
    )
    expect([...new Set(without)]).toEqual([])
    const strange = all.flatMap(({ name, check }) =>
      claimsOf(check, [name]).filter((claim) => claims[claim].of?.includes(name) === false),
    )
    expect(strange).toEqual([])
  })

  test('what the specification says of refunds is not said of other operations', () => {
    const messages = claimsAbout('errors', 'SBX_NOT_ALLOWED').filter(
      (claim) => claims[claim].kind === 'specification',
    )
    expect(messages).toEqual(['statuses-1', 'refund-messages'])
    for (const { name, check } of all)
      if (!name.endsWith('refund'))
        expect(claimsOf(check, [name]).filter((claim) => messages.includes(claim))).toEqual([])
  })
})
