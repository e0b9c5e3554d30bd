import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../../src/contract/openapi/document.ts'
import { memberSchemas } from '../../../../src/contract/operation-members.ts'
import {
  isLookUp,
  type OperationName,
  operationNames,
  operations,
} from '../../../../src/contract/operations.ts'
import type { AnyJson } from '../../../support/any-json.ts'
import { times } from '../../../support/runner/counts.ts'
import { newId } from '../../../support/service/new-id.ts'
import { newRequestIdHeader, requestIdHeader } from '../../../support/service/requests.ts'
import {
  advanceClock,
  isReplayed,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
} from '../../../support/service/service.ts'
import { asking } from '../../../support/service/shop.ts'

type RequestWithId = object & { readonly transactionRequestId: string }

/** The example of an operation in the OpenAPI document. */
function exampleOf(name: string) {
  const { method, path } = operations[name as OperationName]
  const described = openapiDocument().paths?.[path]?.[method.toLowerCase()]
  return {
    ...described?.['x-example'],
    members: described?.requestBody?.content['application/json']?.example,
  }
}

/** A request of the operation that is accepted: its example, after what comes before that. */
async function requestOf({ call }: Service, name: OperationName): Promise<RequestWithId> {
  const { after = [], from = {}, members } = exampleOf(name)
  const answers: Record<string, AnyJson> = {}
  for (const earlier of after) {
    const { operation, members: sent } =
      typeof earlier === 'string' ? { operation: earlier, ...exampleOf(earlier) } : earlier
    const request = { ...(sent as object), transactionRequestId: newId() }
    answers[operation] = (await call(operation as OperationName, request)).data
  }
  const named = Object.entries(from).map(([member, [operation, pointer]]) => [
    member,
    answers[operation][pointer.replace('/data/', '')],
  ])
  return { ...(members as object), ...Object.fromEntries(named), transactionRequestId: newId() }
}

/** Operations with a request id of their own; to expire a session, the id of its request names it. */
const names = operationNames.filter(
  (name) => !isLookUp(name) && 'transactionRequestId' in memberSchemas(name) && name !== 'expire-session',
)

describe.each(names)('the ids of %s', (name) => {
  test('api ids-4, authentication-3: duplicates reject: each id is used up', async () => {
    const service = await openService()
    const [request, headers] = [await requestOf(service, name), newRequestIdHeader()]
    expect((await service.call(name, request, headers)).code).toBe('0')
    const before = plainLedgersOf(service.sandbox)
    const byMember = await service.call(name, request)
    const used = [200, 'SBX_DUP_TXN_ID', 'transactionRequestId']
    expect([byMember.status, byMember.code, byMember.field]).toEqual(used)
    const byHeader = await service.call(name, request, headers)
    const refusal = [409, 'SBX_DUP_REQUEST', requestIdHeader]
    expect([byHeader.status, byHeader.code, byHeader.field]).toEqual(refusal)
    expect(byHeader.detail).toMatch(name === 'batch-close' ? /was accepted$/ : /acted on transaction \d{16}$/)
    const { transactionRequestId } = request
    expect((await service.call('auth', sale(1, { transactionRequestId }))).code).toBe('SBX_DUP_TXN_ID')
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
  })

  test('api ids-4: duplicates replay: a request that repeats either id gets the first answer, and another body is refused', async () => {
    const service = await openService({ duplicates: 'replay' })
    const late = asking('late-approval')
    const [request, headers] = [await requestOf(service, name), { ...newRequestIdHeader(), ...late }]
    const first = await service.call(name, request, headers)
    expect([first.code, isReplayed(first)]).toEqual(['0', false])
    await advanceClock(service, 3_600_000) // the host has answered, and a session is over
    const before = plainStateOf(service.sandbox)
    const byHeader = await service.call(name, request, headers)
    expect(plainStateOf(service.sandbox)).toEqual(before)
    const ledgers = plainLedgersOf(service.sandbox)
    for (const again of [byHeader, await service.call(name, request, late)])
      expect([again.status, again.code, again.data, isReplayed(again)]).toEqual([200, '0', first.data, true])
    const other = { ...request, merchantId: 'M1000000001' } // which every operation takes
    const { transactionRequestId } = request
    const refused = [
      await service.call(name, { ...other, transactionRequestId: newId() }, headers),
      await service.call(name, other, late),
      await service.call(name === 'sale' ? 'auth' : 'sale', sale(1, { transactionRequestId })),
    ]
    expect(refused.map(({ code, field }) => `${code} ${field}`)).toEqual([
      `SBX_DUP_OTHER ${requestIdHeader}`,
      ...Array(2).fill('SBX_DUP_OTHER transactionRequestId'),
    ])
    expect(refused.map(isReplayed)).toEqual([false, false, false])
    expect(plainLedgersOf(service.sandbox)).toEqual(ledgers)
  })

  test.each(['reject', 'replay'] as const)(
    'api ids-4: duplicates %s: one of 20 equal requests at the same moment is carried out',
    async (duplicates) => {
      const service = await openService({ duplicates })
      for (let round = 0; round < times(2, 40); round++) {
        const request = await requestOf(service, name)
        const answers = await Promise.all(Array.from({ length: 20 }, () => service.call(name, request)))
        const first = answers.filter((answer) => answer.code === '0' && !isReplayed(answer))
        expect(first).toHaveLength(1)
        const expected = duplicates === 'replay' ? ['0', first[0]?.data] : ['SBX_DUP_TXN_ID', undefined]
        for (const { code, data } of answers.filter((answer) => answer !== first[0]))
          expect([code, data]).toEqual(expected)
      }
    },
  )
})
