import * as fc from 'fast-check'
import { limits } from '../../../src/contract/headers.ts'
import { operationNames, operations } from '../../../src/contract/operations.ts'
import { codePoint } from './code-point.ts'

/** What nobody sends who means well, for fast-check. */

/** Numbers at the edges, as JSON writes them. */
const hardNumbers = fc.constantFrom(
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '1e3',
  '1e-3',
  String(limits.amount),
  String(limits.amount + 1),
  String(2 ** 31),
  String(Number.MAX_SAFE_INTEGER),
  String(Number.MAX_SAFE_INTEGER + 1),
  '1e308',
  '1e999',
  '-1e999',
  '9'.repeat(400),
  `0.${'0'.repeat(300)}1`,
)

/** Names of members that an object has by itself, and others that are hard to carry. */
export const hardNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'amount.orderAmount',
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
)

/** Members that the operations know. */
export const memberNames = [
  ...new Set(operationNames.flatMap((name) => Object.keys(operations[name].input.entries))),
  'referenceOrderId',
]

/** Any JSON, as text: a value, or an object with members that the operations know. */
export const oddJson = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hardNumbers,
    fc.constantFrom('null', 'true', 'false', '""', '{}', '[]'),
    fc.string({ unit: codePoint, maxLength: 40 }).map((text) => JSON.stringify(text)),
    fc.constantFrom(`"${'y'.repeat(10_000)}"`, '"USD"', '"TBX-AUTO-001"', '"2026-01-31T12:00:00Z"'),
    fc.constantFrom('"\\u0000"', '"\\ud800"', '"../../etc/passwd"', '"M2000000001"', '"http://localhost/x"'),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(hardNames, fc.constantFrom(...memberNames)), tie('value')), { maxLength: 6 })
    .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
}))

/** What a header can hold. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
})

/** Headers with anything in them. */
export const oddHeaders = fc.record(
  {
    Authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
    ),
    'X-Timestamp': fc.oneof(headerText, fc.stringMatching(/^-?\d{1,20}$/), fc.constant('9'.repeat(13))),
    'X-Client-Request-Id': fc.oneof(headerText, fc.uuid(), fc.stringMatching(/^[0-9a-f-]{30,40}$/)),
    'Content-Type': fc.oneof(
      headerText,
      fc.constantFrom('application/json;', 'application/json; charset=utf-16'),
    ),
    'Content-Length': fc.constantFrom('0', '-1', '1e9', 'x', '99999999999999999999'),
    'User-Agent': fc.oneof(headerText, fc.constantFrom('SunbayNexusSDK-', 'SunbayNexusSDK-Go/1')),
    'X-Sandbox-Outcome': fc.oneof(headerText, fc.constantFrom('approve', '__proto__', 'constructor')),
    Host: headerText,
    Origin: headerText,
    Accept: headerText,
  },
  { requiredKeys: [] },
)
