import { describe, expect, test } from 'vitest'
import { renderRequest } from '../../../../src/cli/output/request-line.ts'
import { operations } from '../../../../src/contract/operations.ts'
import { openSold, sale, temporaryFolder } from '../../../support/service/service.ts'
import { folderText } from '../../../support/store/folder-contents.ts'

const pan = '4111111111111111'

describe('a card number in a query or a path', () => {
  /** Sends a request without a body: it must be refused, and the number be in nothing that was told or kept of it. */
  async function expectRefused(method: string, pathFor: (transactionId: string) => string) {
    const state = temporaryFolder()
    const reports: string[] = []
    const { send, control, data } = await openSold(sale(1000), {
      state,
      report: (message) => reports.push(message),
      onRequest: (entry) => reports.push(renderRequest(entry)),
    })
    const { headers, ...answer } = await send(method, pathFor(data.transactionId))
    const log = JSON.stringify((await control('GET', 'requests')).data)
    expect(reports.length).toBeGreaterThanOrEqual(2)
    const traces = [log, ...reports, folderText(state), JSON.stringify(answer), JSON.stringify([...headers])]
    expect(answer.code).toBe('SBX_CARD_DATA')
    for (const secret of [pan, pan.slice(1), '4111-1111', '4111 1111', '4111%201111'])
      expect(traces.join('\n')).not.toContain(secret)
  }

  test.each([
    ['a name', `${pan}=x`],
    ['a name without a value', pan],
    ['a part of a name', `card${pan}x=1`],
    ['a name with brackets', `card[${pan}]=1`],
    ['a name in groups', '4111-1111-1111-1111=x'],
    ['a name in groups, with spaces', '4111+1111+1111+1111=x'],
    ['a name with escaped digits', `%34${pan.slice(1)}=x`],
    ['a value', `card=${pan}`],
    ['a value with escaped digits', `card=%34${pan.slice(1)}`],
    ['a value in groups', 'card=4111%201111%201111%201111'],
    ['a second value of one name', `card=1&card=${pan}`],
    ['a value beside a security code', `cvv=123&card=${pan}`],
  ])('a card number beside a known transactionId is refused and not kept: %s', async (_, more) => {
    for (const query of [`transactionId=ID&${more}`, `${more}&transactionId=ID`])
      await expectRefused('GET', (id) => `${operations.query.path}?${query.replace('ID', id)}`)
  })

  test.each([
    ['GET', `/v1/${pan}`],
    ['GET', `/${pan}/x`],
    ['GET', '/v1/4111-1111-1111-1111'],
    ['GET', '/v1/4111%201111%201111%201111'],
    ['GET', `/v1/%34${pan.slice(1)}`],
    ['GET', `/v1/card${pan}x`],
    ['POST', `${operations.sale.path}/${pan}`],
    ['DELETE', `${operations.query.path}/${pan}`],
    ['GET', `/_sandbox/transactions/${pan}`],
    ['POST', `/_sandbox/terminals/${pan}/queue`],
  ])('a card number in a path is refused and not kept: %s %s', (method, path) =>
    expectRefused(method, () => path),
  )
})
