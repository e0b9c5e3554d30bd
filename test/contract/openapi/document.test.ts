import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lint, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test, vi } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { terminalEvents } from '../../../src/contract/control/webhooks.ts'
import { errorTable } from '../../../src/contract/errors.ts'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { type DocumentPart, selectParts } from '../../../src/contract/openapi/document-parts.ts'
import { operations } from '../../../src/contract/operations.ts'
import { undescribed } from '../../support/openapi/described.ts'
import { projectRoot, readProjectFile } from '../../support/project.ts'
import { appOf } from '../../support/service/app.ts'
import { openService } from '../../support/service/service.ts'

const file = new URL('../../../fixtures/openapi.json', import.meta.url).pathname
const document = openapiDocument()
const described = Object.values(document.paths ?? {}).flatMap((each) => Object.values(each))
const strict = () => createConfig({ extends: ['recommended-strict'] })

/** What the linter finds wrong with a document. */
async function findings(source: object): Promise<string[]> {
  const problems = await lintFromString({ source: JSON.stringify(source), config: await strict() })
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

describe('the OpenAPI document', () => {
  test('the strict rules of the linter find nothing wrong with the document', async () => {
    const problems = await lint({ ref: file, config: await strict() })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('the document has every operation of the tables, and no other', () => {
    const posted = Object.entries(operations).flatMap(([name, row]) =>
      'otherMethod' in row ? [`${name}-post`] : [],
    )
    const names = [...Object.keys(operations), ...posted, ...Object.keys(controls)]
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(names.sort())
  })

  test('a request that names its session or original in one of several members requires one of them', () => {
    const named = described.flatMap(({ operationId, requestBody }) => {
      const { anyOf } = requestBody?.content?.['application/json']?.schema ?? {}
      return anyOf === undefined ? [] : [[operationId, ...anyOf.flatMap(({ required = [] }) => required)]]
    })
    const original = ['originalTransactionId', 'originalTransactionRequestId']
    expect(named).toEqual(
      expect.arrayContaining([
        ['expire-session', 'sessionId', 'transactionRequestId'],
        ['void', ...original],
        ['refund', ...original, 'referenceOrderId'],
      ]),
    )
  })

  test('the document has every path that the sandbox routes below /v1 and /_sandbox', async () => {
    const { sandbox } = await openService()
    const routed = appOf(sandbox).routes.filter(
      ({ method, path }) => method !== 'ALL' && /^\/(v1|_sandbox)\//.test(path),
    )
    const known = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const names = routed.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect([...new Set(names)].sort()).toEqual(known.sort())
  })

  test('the document has every error code but those for an unknown path or method', () => {
    const named = new Set([...JSON.stringify(document).matchAll(/"(C\d+|SBX_\w+)"/g)].map(([, code]) => code))
    const all = new Set([...named, 'SBX_NO_PATH', 'SBX_METHOD'])
    expect(Object.keys(errorTable).filter((code) => !all.has(code))).toEqual([])
    expect([...named].filter((code) => !Object.hasOwn(errorTable, code ?? ''))).toEqual([])
  })

  test('the document has every event of a terminal, as a value and in the order of the table', () => {
    const webhook = JSON.stringify(document.webhooks?.['terminal-event'])
    expect(webhook).toContain(terminalEvents.join(', '))
    const whole = JSON.stringify(document)
    expect(terminalEvents.filter((event) => !whole.includes(`"${event}"`))).toEqual([])
  })

  test.each([['control'], ['service', 'webhooks']] as const)(
    'the part %s %s of the document is valid by itself',
    async (...parts: (DocumentPart | undefined)[]) => {
      const part = selectParts(
        document,
        parts.filter((each) => each !== undefined),
      )
      expect(await findings(part)).toEqual([])
      const paths = Object.keys(part.paths ?? {})
      expect(paths.some((path) => path.startsWith('/v1/'))).toBe(parts.includes('service'))
      expect(paths.some((path) => path.startsWith('/_sandbox/'))).toBe(parts.includes('control'))
      expect('webhooks' in part).toBe(parts.includes('webhooks'))
    },
  )

  test('the sandbox serves the document with its own URL', async () => {
    const { sandbox } = await openService()
    const served = await appOf(sandbox).request('http://127.0.0.1:9999/_sandbox/openapi.json')
    expect(served.headers.get('content-type')).toMatch(/^application\/json/)
    const servers = { ...document, servers: [{ url: 'http://127.0.0.1:9999', description: 'This sandbox' }] }
    expect(await served.json()).toEqual(servers)
  })
})

describe('the check of an answer against the document', () => {
  const sale = '/v1/semi-integration/transaction/sale'
  const data = { transactionId: '1', transactionRequestId: 'R', transactionStatus: 'I' }
  const accepted = { code: '0', msg: 'success', traceId: 'T', data }
  const isUndescribed = (status: number, text: string, type = 'application/json') =>
    undescribed('POST', sale, { status, type, text }).length > 0

  test.each([
    ['as it is described', 200, accepted, false],
    ['with a member too many', 200, { ...accepted, data: { ...data, more: 1 } }, true],
    ['with a member of another type', 200, { ...accepted, data: { ...data, transactionId: 1 } }, true],
    ['refused with another status', 400, { code: 'SBX_AUTH_MISSING', msg: 'm', traceId: 'T' }, true],
    ['refused with a code of another one', 200, { code: 'SBX_WALLET', msg: 'm', traceId: 'T' }, true],
  ])('the check knows whether an answer is described: %s', (_, status, body, isWrong) =>
    expect(isUndescribed(status, JSON.stringify(body))).toBe(isWrong),
  )

  test.each([
    ['of another content type', 200, JSON.stringify(accepted), 'text/html', true],
    ['cut off', 200, '{"code":', 'application/json', true],
    ['of an injected fault: the page of a proxy', 503, '<h1>503</h1><hr>proxy', 'text/html', false],
    ['of an injected fault: nothing', 200, '', 'application/json', false],
  ])('the check knows whether a text is described: %s', (_, status, text, type, isWrong) =>
    expect(isUndescribed(status, text, type)).toBe(isWrong),
  )

  test('every test without a port checks answers: none makes an app by itself', () => {
    const making = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /(from|import\() *'[./]*\/src\/server\/sandbox\/handler\.ts'/.test(readProjectFile(`test/${name}`)),
      )
    expect(making).toEqual(['support/service/app.ts'])
  })

  test('an answer that is not described fails its request', async () => {
    const { sandbox } = await openService()
    vi.spyOn(sandbox.faults, 'list').mockReturnValue([{ id: 1 } as never])
    await expect(appOf(sandbox).request('/_sandbox/faults')).rejects.toThrow('says otherwise')
  })
})
