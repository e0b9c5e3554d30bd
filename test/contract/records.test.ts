import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/contract/control/sandbox-options.ts'
import { batchNoFor, isShared, type Reader, readerFor, readsSpec } from '../../src/contract/records.ts'

test('assumption dialect: the members that both records have', () => {
  const read = readFileSync(new URL('../../fixtures/openapi.json', import.meta.url), 'utf8')
  const { SpecRecord, SdkRecord } = JSON.parse(read).components.schemas
  for (const member of Object.keys(SpecRecord.properties))
    expect(isShared(member), member).toBe(member in SdkRecord.properties && member !== 'batchNo')
})

describe('assumption dialect: the caller of a request', () => {
  const go = 'SunbayNexusSDK-Go/1.0.0 (linux)'
  const python = 'SunbayNexusSDK-Python/2.1 requests'

  test.each<[Behaviour['dialect'], string | undefined, Reader]>([
    ['auto', go, 'sdk'],
    ['auto', python, 'strict-sdk'],
    ['auto', 'curl/8', 'plain'],
    ['auto', undefined, 'plain'],
    ['auto', 'x SunbayNexusSDK-Go/1.0.0', 'plain'],
    ['sdk', 'curl/8', 'sdk'],
    ['sdk', undefined, 'sdk'],
    ['sdk', python, 'strict-sdk'],
    ['spec', go, 'spec'],
    ['spec', undefined, 'spec'],
  ])('the dialect %s with the User-Agent %s is read by %s', (dialect, userAgent, reader) => {
    expect(readerFor(dialect, userAgent)).toBe(reader)
  })

  test.each<[Reader, boolean, number | string]>([
    ['spec', true, 7],
    ['plain', true, 7],
    ['sdk', false, '7'],
    ['strict-sdk', false, '7'],
  ])('the reader %s reads the specification’s members: %s, and batchNo as %j', (reader, reads, batchNo) => {
    expect([readsSpec(reader), batchNoFor(reader, 7)]).toEqual([reads, batchNo])
  })
})
