import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { openNode } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { apiHeaders } from '../support/service/service.ts'

const token = 'a-token-of-the-test-0001'

/** What a caller without a token may try. */
const asked: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[] = [
  ['/'],
  ['/', { Accept: 'text/html' }],
  ['/?token=wrong-token-0000000001'],
  ['/requests', { 'X-Sandbox-Token': 'wrong' }],
  ['/_sandbox/state'],
  ['/_sandbox/health'],
  ['/_sandbox/tokens'],
  ['/nowhere'],
  ['/_assets/style.css'],
  ['/checkout/cs_1'],
  [operations.query.path],
  [operations.query.path, { Authorization: 'Basic x' }],
  [operations.query.path, apiHeaders('sk_wrong')],
]

async function tellsNoSpace(url: string): Promise<void> {
  const made = await fetchPlain(`${url}/_sandbox/spaces`, {
    method: 'POST',
    headers: { 'X-Sandbox-Token': token, 'Content-Type': 'application/json' },
    body: '{"name":"ci-1"}',
  })
  expect(made.status).toBe(200)
  const answerOf = async (space: string, ...[path, headers = {}]: (typeof asked)[number]) => {
    const { status, text } = await fetchPlain(`${url}/s/${space}${path}`, { headers })
    const same = text.replaceAll(space, '<space>').replace(/"traceId":"[^"]*"/, '')
    return [path, status, same.replaceAll('/s/<space>', '')]
  }
  for (const each of asked) expect(await answerOf('no-1', ...each)).toEqual(await answerOf('ci-1', ...each))
  const typo = await fetchPlain(`${url}/s/no-1/_sandbox/state`, { headers: { 'X-Sandbox-Token': token } })
  expect(JSON.parse(typo.text)).toMatchObject({ code: 'SBX_SPACE_NONE', msg: 'There is no space no-1' })
}

describe('assumption spaces: where a token is required, nobody learns without one which spaces there are', () => {
  test('from a server', async () => {
    const { connection } = await openRawSandbox({ token })
    await tellsNoSpace(connection.url)
  })

  test.skipIf(skipsPostgres())('from a node of a database', async () => {
    const { url } = await openNode((await sharedCluster()).url(), { token })
    await tellsNoSpace(url)
  })
})
