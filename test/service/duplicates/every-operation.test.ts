import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../../src/contract/operation-members.ts'
import { isLookUp, type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import { openapiDocument } from '../../../src/openapi/document.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { times } from '../../support/runner/counts.ts'
import { newId } from '../../support/service/new-id.ts'
import { newRequestIdHeader, requestIdHeader } from '../../support/service/requests.ts'
import {
  advanceClock,
  crashCopy,
  isReplayed,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
} from '../../support/service/service.ts'
import { asking } from '../../support/service/shop.ts'

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
  (name) => !isLookUp(name) && 'transactionRequestId' in entriesOf(name) && name !== 'expire-session',
)

/** The sandbox after a crash, and after a stop. */
async function restarts(service: Service, state: string, duplicates: 'reject' | 'replay') {
  const crashed = await openService({ state: crashCopy(state), duplicates })
  await service.close()
  return [crashed, await openService({ state, duplicates })]
}

describe.each(names)('the ids of %s', (name) => {
  test('api ids-4, authentication-3: duplicates reject: each id is used up, also after a crash or a restart', async () => {
    const state = temporaryFolder()
    const service = await openService({ state })
    const [request, headers] = [await requestOf(service, name), newRequestIdHeader()]
    expect((await service.call(name, request, headers)).code).toBe('0')
    for (const each of await restarts(service, state, 'reject')) {
      const before = plainLedgersOf(each.sandbox)
      const byMember = await each.call(name, request)
      expect([byMember.status, byMember.code, byMember.field]).toEqual([
        ...[200, 'SBX_DUP_TXN_ID', 'transactionRequestId'],
      ])
      const byHeader = await each.call(name, request, headers)
      expect([byHeader.status, byHeader.code, byHeader.field]).toEqual([
        ...[409, 'SBX_DUP_REQUEST', requestIdHeader],
      ])
      expect(byHeader.detail).toMatch(
        name === 'batch-close' ? /was accepted$/ : /acted on transaction \d{16}$/,
      )
      const { transactionRequestId } = request
      expect((await each.call('auth', sale(1, { transactionRequestId }))).code).toBe('SBX_DUP_TXN_ID')
      expect(plainLedgersOf(each.sandbox)).toEqual(before)
    }
  })

  test('api ids-4: duplicates replay: a request that repeats either id gets the first answer, and another body is refused', async () => {
    const state = temporaryFolder()
    const service = await openService({ state, duplicates: 'replay' })
    const late = asking('late-approval')
    const [request, headers] = [await requestOf(service, name), { ...newRequestIdHeader(), ...late }]
    const first = await service.call(name, request, headers)
    expect([first.code, isReplayed(first)]).toEqual(['0', false])
    for (const each of await restarts(service, state, 'replay')) {
      await advanceClock(each, 3_600_000) // the host has answered, and a session is over
      const before = plainStateOf(each.sandbox)
      const byHeader = await each.call(name, request, headers)
      expect(plainStateOf(each.sandbox)).toEqual(before)
      const ledgers = plainLedgersOf(each.sandbox)
      for (const again of [byHeader, await each.call(name, request, late)])
        expect([again.status, again.code, again.data, isReplayed(again)]).toEqual([
          200,
          '0',
          first.data,
          true,
        ])
      const other = { ...request, merchantId: 'M1000000001' } // which every operation takes
      const refused = [
        await each.call(name, { ...other, transactionRequestId: newId() }, headers),
        await each.call(name, other, late),
        await each.call(
          name === 'sale' ? 'auth' : 'sale',
          sale(1, { transactionRequestId: request.transactionRequestId }),
        ),
      ]
      expect(refused.map(({ code, field }) => `${code} ${field}`)).toEqual([
        `SBX_DUP_OTHER ${requestIdHeader}`,
        ...Array(2).fill('SBX_DUP_OTHER transactionRequestId'),
      ])
      expect(refused.map(isReplayed)).toEqual([false, false, false])
      expect(plainLedgersOf(each.sandbox)).toEqual(ledgers)
    }
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
        for (const { code, data } of answers.filter((answer) => answer !== first[0]))
          expect([code, data]).toEqual(
            duplicates === 'replay' ? ['0', first[0]?.data] : ['SBX_DUP_TXN_ID', undefined],
          )
      }
    },
  )
})
