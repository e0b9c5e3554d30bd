import { expect, test } from 'vitest'
import { type AnswerSchema, schemaProblems } from './answer-schema.ts'

const schema: AnswerSchema = {
  type: 'object',
  properties: {
    at: { type: ['null', 'string'], format: 'date-time' },
    waitMs: { type: 'integer' },
    state: { type: 'string', enum: ['on', 'off'] },
    share: { type: 'number', minimum: 0, maximum: 1 },
    pair: {
      type: 'array',
      prefixItems: [{ type: 'integer' }, { type: 'integer' }],
      minItems: 2,
      maxItems: 2,
    },
    either: { anyOf: [{ const: 'none' }, { type: 'array', items: { type: 'boolean' } }] },
  },
  required: ['at'],
  additionalProperties: false,
}

test.each([
  [{ at: '2026-11-20T18:02:19.123Z', waitMs: 5, state: 'on', share: 0.5, pair: [1, 2], either: [true] }, []],
  [{ at: null, either: 'none' }, []],
  [[], ['the answer is not object: []']],
  [{}, ['.at is missing']],
  [{ at: null, more: 1 }, ['.more is not in the schema']],
  [{ at: '2026-11-20T18:02:19' }, ['.at is no time of ISO 8601 with an offset: "2026-11-20T18:02:19"']],
  [{ at: null, waitMs: 0.5 }, ['.waitMs is not integer: 0.5']],
  [{ at: null, state: 'gone' }, ['.state is none of on, off: "gone"']],
  [{ at: null, share: 2 }, ['.share is not within 0 to 1: 2']],
  [{ at: null, pair: [1] }, ['.pair has 1 entries']],
  [{ at: null, pair: [1, 'x'] }, ['.pair[1] is not integer: "x"']],
  [{ at: null, either: [1] }, ['.either is not "none": [1]']],
])('the problems of the answer %j are found', (value, problems) => {
  const found = schemaProblems(value, schema)
  expect(found).toEqual(problems)
})

test('an unknown keyword of a schema is an error', () => {
  expect(() => schemaProblems(1, { multipleOf: 2 } as AnswerSchema)).toThrow('multipleOf')
})
