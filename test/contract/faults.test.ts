import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { controls } from '../../src/contract/control/controls/controls.ts'
import type { FaultView } from '../../src/contract/control/fault-list.ts'
import { faultPresets, rulesOfPreset } from '../../src/contract/control/fault-presets.ts'
import {
  answerFaultKinds,
  drawDelay,
  endlessClause,
  type Fault,
  faultGroups,
  faultKinds,
  faultMoment,
  faultValues,
  isDrawn,
  isEndless,
  isFault,
  reachOf,
  readFault,
  writeFault,
  wrongValueIndex,
} from '../../src/contract/control/faults.ts'
import { operationMeant, operationNames, operationRow } from '../../src/contract/operations.ts'
import { validate } from '../../src/contract/validate.ts'
import { times } from '../support/runner/counts.ts'

/** What is wrong with a text that is no fault; empty for a fault. */
function reasonOf(written: string, known?: readonly string[]): string {
  const read = readFault(written, known)
  return isFault(read) ? '' : `${read.wrong}: ${read.remedy}`
}

describe('the text of a fault', () => {
  test.each(Object.entries(faultKinds))('each example of %s is a fault of this kind', (name, row) => {
    for (const example of row.example) {
      const fault = readFault(example) as Fault
      expect(fault.kind).toBe(name === 'http-<status>' ? 'http' : name)
      expect(faultMoment(fault)).toBe(example === 'reset=after' ? 'after' : row.acts)
    }
  })

  test.each(
    Object.entries(faultKinds).flatMap(([name, row]) =>
      'values' in row ? [[name, row.values] as const] : [],
    ),
  )('the values of %s for forms make a fault of this kind, and an empty one is left out', (name, values) => {
    const examples = values.map(({ example }) => example)
    const kind = name === 'http-<status>' ? 'http' : name
    expect(readFault(writeFault(name, examples))).toMatchObject({ kind })
    for (const value of values)
      for (const choice of 'choices' in value ? value.choices : [])
        expect(readFault(writeFault(name, [choice]))).toMatchObject({ kind })
    expect(writeFault('http-<status>', ['503', ''])).toBe('http-503')
    expect(writeFault('empty', [])).toBe('empty')
  })

  test.each([
    ['http-400', { kind: 'http', status: 400, retryAfter: null }],
    ['http-599', { kind: 'http', status: 599, retryAfter: null }],
    ['http-429', { kind: 'http', status: 429, retryAfter: 1 }],
    ['http-503', { kind: 'http', status: 503, retryAfter: 1 }],
    ['http-503=0', { kind: 'http', status: 503, retryAfter: 0 }],
    ['http-500=86400', { kind: 'http', status: 500, retryAfter: 86_400 }],
    ['http-500', { kind: 'http', status: 500, retryAfter: null }],
    ['reset', { kind: 'reset', acts: 'before' }],
    ['reset=before', { kind: 'reset', acts: 'before' }],
    ['reset=after', { kind: 'reset', acts: 'after' }],
    ['latency=0', { kind: 'latency', delay: { from: 0, to: 0 } }],
    ['latency=2000', { kind: 'latency', delay: { from: 2000, to: 2000 } }],
    ['latency=10m', { kind: 'latency', delay: { from: 600_000, to: 600_000 } }],
    ['latency=5-5', { kind: 'latency', delay: { from: 5, to: 5 } }],
    ['latency=1s-2s', { kind: 'latency', delay: { from: 1000, to: 2000 } }],
    ['latency=200~2', { kind: 'latency', delay: { median: 200, spread: 2 } }],
    ['latency=200~0.125', { kind: 'latency', delay: { median: 200, spread: 0.125 } }],
    ['slow-drip', { kind: 'slow-drip', bytes: 16, everyMs: 100 }],
    ['slow-drip=8/20', { kind: 'slow-drip', bytes: 8, everyMs: 20 }],
    ['slow-drip=1/60000', { kind: 'slow-drip', bytes: 1, everyMs: 60_000 }],
    ['not-json', { kind: 'not-json', status: 502 }],
    ['not-json=200', { kind: 'not-json', status: 200 }],
    ['delay=2h', { kind: 'delay', from: 7_200_000, to: 7_200_000 }],
    ['delay=366d', { kind: 'delay', from: 31_622_400_000, to: 31_622_400_000 }],
    ['delay=31622400000', { kind: 'delay', from: 31_622_400_000, to: 31_622_400_000 }],
    ['delay=1-2', { kind: 'delay', from: 1, to: 2 }],
    ['delay=1s..5s', { kind: 'delay', from: 1000, to: 5000 }],
    ['reorder=2', { kind: 'reorder', among: 2 }],
    ['reorder=1000', { kind: 'reorder', among: 1000 }],
  ])('%s is read as a fault', (written, fault) => expect(readFault(written)).toEqual(fault))

  test.each([
    ['http-399', 'is not a fault', 'use http-400 to http-599'],
    ['http-600', 'is not a fault', 'use http-400 to http-599'],
    ['http-4000', 'is not a fault', 'use http-400 to http-599'],
    ['http-0500', 'is not a fault', 'use http-400 to http-599'],
    ['http-503=-1', 'has a value that cannot be read', 'write it as http-<status>['],
    ['http-503=86401', 'has a value that cannot be read', 'write it as http-<status>['],
    ['http-503=', 'has a value that cannot be read', 'write it as http-<status>['],
    ['empty=1', 'takes no value', 'write it as empty'],
    ['drop=', 'takes no value', 'write it as drop'],
    ['reset=later', 'has a value that cannot be read', 'write it as reset['],
    ['reset=', 'has a value that cannot be read', 'write it as reset['],
    ['reorder', 'needs a value', 'write it as reorder=3'],
    ['reorder=1', 'is not from 2 to 1000', 'write it as reorder='],
    ['reorder=1001', 'is not from 2 to 1000', 'write it as reorder='],
    ['reorder=2.5', 'is not from 2 to 1000', 'write it as reorder='],
    ['reorder=1e2', 'is not from 2 to 1000', 'write it as reorder='],
    ['latency=1e3', 'is not a duration', 'write it as latency='],
    ['reorder=2x', 'is not from 2 to 1000', 'write it as reorder='],
    ['reorder=x2', 'is not from 2 to 1000', 'write it as reorder='],
    ['delay', 'needs a value', 'write it as delay=2s or delay=1s-5s'],
    ['delay=1~2', 'is not a duration', 'write it as delay='],
    ['delay=367d', 'is longer than 366d', 'write it as delay='],
    ['delay=2-1', 'ends before it begins', 'write it as delay='],
    ['delay=1-x', 'is not a duration', 'write it as delay='],
    ['latency', 'needs a value', 'write it as latency=2000 or latency=500-3000 or latency=800~0.5'],
    ['latency=600001', 'is longer than 10m', 'write it as latency='],
    ['latency=1-600001', 'is longer than 10m', 'write it as latency='],
    ['latency=1-2-3', 'is not a range', 'write it as latency='],
    ['latency=-5', 'is not a duration', 'write it as latency='],
    ['latency=5-', 'is not a duration', 'write it as latency='],
    ['latency=1~10', 'has a value that cannot be read', 'write it as latency='],
    ['latency=1~0.1234', 'has a value that cannot be read', 'write it as latency='],
    ['latency=5-6~1', 'has a value that cannot be read', 'write it as latency='],
    ['latency=600001~1', 'is longer than 10m', 'write it as latency='],
    ['latency=1~.5', 'has a value that cannot be read', 'write it as latency='],
    ['latency=1~x', 'has a value that cannot be read', 'write it as latency='],
    ['latency=x5', 'is not a duration', 'write it as latency='],
    ['latency=x~1', 'has a value that cannot be read', 'write it as latency='],
    ['slow-drip=0/5', 'has a value that cannot be read', 'write it as slow-drip['],
    ['slow-drip=5/0', 'has a value that cannot be read', 'write it as slow-drip['],
    ['slow-drip=5', 'has a value that cannot be read', 'write it as slow-drip['],
    ['slow-drip=5/5/5', 'has a value that cannot be read', 'write it as slow-drip['],
    ['slow-drip=5/60001', 'has a value that cannot be read', 'write it as slow-drip['],
    ['not-json=100', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=199', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=204', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=205', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=304', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=600', 'has a value that cannot be read', 'write it as not-json['],
    ['not-json=20', 'has a value that cannot be read', 'write it as not-json['],
  ])('%j %s: %s', (written, wrong, remedy) => {
    expect(readFault(written)).toMatchObject({ wrong, remedy: expect.stringContaining(remedy) })
  })

  test('the reason of a wrong value ends with how to write it, and with examples', () => {
    expect(readFault('delay=5s..1s')).toEqual({
      wrong: 'ends before it begins',
      remedy: 'write it as delay=<duration>|<from>-<to>, such as delay=2s or delay=1s-5s',
    })
  })

  test.each(['toString', '__proto__', '', 'x'.repeat(1000)])(
    '%j is not the name of a fault, and the reason lists the names',
    (written) => expect(reasonOf(written)).toContain('lost-answer'),
  )

  test.each(['http-<status>', 'http-', 'http503', 'http-abc', 'http-50x', 'http-5 00'])(
    '%j is refused without a status',
    (written) => expect(reasonOf(written)).toBe('is not a fault: use http-400 to http-599'),
  )

  test('xhttp-500 does not count as a fault with a status, and the reason lists the names', () =>
    expect(reasonOf('xhttp-500')).toMatch(/^is not a fault: the names are lost-answer/))

  test('a name with a typing error is corrected to one of the given names', () => {
    expect(reasonOf('lost-anser')).toContain('did you mean lost-answer?')
    expect(reasonOf('nothing-like-it', ['empty', 'reset'])).not.toContain('lost-answer')
  })

  test('any text is read as a fault or gives a reason', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isFault(readFault(text)) || reasonOf(text) !== '').toBe(true)
      }),
      { numRuns: times(200, 20_000) },
    )
  })

  test('the kinds are divided into faults of answers, settlement and webhooks', () => {
    const ofWebhooks = ['drop', 'duplicate', 'bad-signature', 'stale', 'other-json', 'delay', 'reorder']
    expect(Object.keys(faultKinds).filter((name) => !answerFaultKinds.includes(name))).toEqual(ofWebhooks)
    expect(Object.entries(faultKinds).filter(([, { acts }]) => acts === 'settlement')).toHaveLength(2)
    const before = Object.entries(faultKinds).filter(([, { acts }]) => acts === 'before')
    expect(before.map(([name]) => name)).toEqual(['lost-request', 'reset', 'http-<status>'])
  })
})

describe('the presets of faults', () => {
  test.each(faultPresets)('the preset $title has a name and faults that can be read', ({ name, faults }) => {
    expect(name).toMatch(/^[a-z]+-[a-z]+$/)
    expect(faults.map(({ kind }) => reasonOf(kind))).toEqual(faults.map(() => ''))
    expect(faults.length).toBeGreaterThan(0)
  })

  const [badWifi, bankDown] = ['bad-wifi', 'bank-down'].map((each) =>
    faultPresets.find(({ name }) => name === each),
  )
  const forAll = { operation: null, terminalSn: null, merchantId: null, amount: null, from: 'A', until: 'B' }

  test.each<[object, boolean, boolean]>([
    [{ kind: 'lost-answer', share: 0.2 }, true, false],
    [{ kind: 'latency=500-3000', share: null }, true, false],
    [{ kind: 'http-503', share: null }, false, true],
    [{ kind: 'lost-answer', share: null }, false, false],
    [{ kind: 'http-503', share: 0.2 }, false, false],
    [{ kind: 'http-503', share: null, operation: 'C' }, false, false],
    [{ kind: 'http-503', share: null, terminalSn: 'C' }, false, false],
    [{ kind: 'http-503', share: null, merchantId: 'C' }, false, false],
    [{ kind: 'http-503', share: null, amount: 'C' }, false, false],
    [{ kind: 'http-503', share: null, from: null }, false, false],
    [{ kind: 'http-503', share: null, until: null }, false, false],
  ])('the rule %j is of bad-wifi: %s, of bank-down: %s', (more, ofWifi, ofBank) => {
    const rule = { ...forAll, ...more } as FaultView
    const found = [badWifi, bankDown].map((preset) => preset && rulesOfPreset(preset, [rule]))
    expect(found).toEqual([ofWifi ? [rule] : [], ofBank ? [rule] : []])
  })
})

describe('the kinds of faults in a form', () => {
  test('every kind is in one group, by when it acts', () => {
    const grouped = faultGroups.flatMap(({ kinds }) => kinds.map(([name]) => name))
    expect(grouped.sort()).toEqual(Object.keys(faultKinds).sort())
    for (const { title, kinds } of faultGroups) {
      expect(title).toMatch(/./)
      expect(new Set(kinds.map(([, { acts }]) => acts)).size).toBe(1)
    }
  })

  test.each<[string, string[], number]>([
    ['http-<status>', ['99', ''], 0],
    ['http-<status>', ['503', 'soon'], 1],
    ['latency', ['soon'], 0],
    ['drop', [], 0],
  ])('of %s with the values %j, number %i is wrong', (kind, values, index) => {
    expect(wrongValueIndex(kind, values)).toBe(index)
  })

  test.each([
    ['capture', 'post-auth'],
    ['checkout-refund', 'online-refund'],
    ['Batch Close', 'batch-close'],
    ['pst-auth', 'post-auth'],
  ])('an unknown operation gets a suggestion: %s is probably %s', (operation, meant) => {
    const add = () => validate(controls['add-fault'], { kind: 'http-503', operation })
    expect(add).toThrow(
      expect.objectContaining({ detail: expect.stringContaining(`did you mean ${meant}?`) }),
    )
    expect(operationMeant('qwertzuiop')).toBeUndefined()
  })

  test('an unknown kind has no values', () => {
    expect(['toString', 'gone'].map(faultValues)).toEqual([[], []])
    expect(faultValues('lost-answer')).toEqual([])
  })

  test('a fault reaches every operation, the close of batches alone, or those that open a transaction', () => {
    const opening = operationNames.filter((name) => operationRow(name).opens !== undefined)
    for (const { acts, example } of Object.values(faultKinds)) {
      const reach = reachOf(readFault(example[0] ?? '') as Fault)
      if (acts === 'settlement') expect(reach).toEqual(['batch-close'])
      else expect(reach).toEqual(acts === 'host' || acts === 'webhook' ? opening : operationNames)
    }
  })

  test('only faults with a range, a spread or a count draw something', () => {
    const examples = Object.values(faultKinds).flatMap(({ example }) => [...example])
    const drawn = examples.filter((example) => isDrawn(readFault(example) as Fault))
    expect(drawn).toEqual(['latency=500-3000', 'latency=800~0.5', 'delay=1s-5s', 'reorder=3'])
  })
})

test('delay and reorder alone apply until cleared', () => {
  const examples = Object.values(faultKinds).flatMap(({ example }) => [...example])
  const endless = examples.filter((example) => isEndless(readFault(example) as Fault))
  expect(endless).toEqual(['delay=2s', 'delay=1s-5s', 'reorder=3'])
  expect(endlessClause).toBe('delay and reorder apply until cleared')
})

test.each([
  [{ from: 100, to: 200 }, [0, 0], 100],
  [{ from: 100, to: 200 }, [0.5, 0], 150],
  [{ from: 100, to: 101 }, [0.5, 0], 101],
  [{ from: 100, to: 200 }, [0.999, 0], 200],
  [{ median: 800, spread: 0 }, [0.7, 0.3], 800],
  [{ median: 800, spread: 0.5 }, [0, 0.3], 800],
  [{ median: 800, spread: 1 }, [0.5, 0], 2597], // 800 · e^√(2 ln 2)
  [{ median: 800, spread: 1 }, [0.5, 0.5], 246], // the other way
  [{ median: 800, spread: 1 }, [0.5, 0.25], 800],
  [{ median: 600_000, spread: 9 }, [0.999999, 0], 600_000],
] as const)('%j with the draws %j is a delay of %i ms', (delay, draws, milliseconds) => {
  expect(drawDelay(delay, draws)).toBe(milliseconds)
})
