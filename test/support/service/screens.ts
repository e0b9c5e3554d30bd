import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, control } from '../../../src/client/client.ts'
import type { AnsweredControl } from '../../../src/contract/sandbox/controls/controls.ts'
import type { ScreenView } from '../../../src/contract/sandbox/screens.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { sale } from './service.ts'

/** A terminal that waits for a person. */
const terminalSn = 'TBX-ATTENDED-001'

/** What terminals show on every screen, as a sandbox tells it; by name. */
export async function everyScreen(
  members: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, ScreenView>> {
  const state = mkdtempSync(join(tmpdir(), 'tillbox-screens-'))
  const { connection, close } = await startSandbox({ state })
  const target = { baseUrl: connection.url, apiKey: connection.apiKey, userAgent: 'screens' }
  const views: Record<string, ScreenView> = {}
  const tipConfig = { onScreenTip: true, suggestions: [{ feeMode: 'RATE', values: [10, 25] }] }
  const sell = (amount: number, more: object = {}) =>
    call(target, 'sale', { ...sale(amount, { terminalSn, ...members, ...more }) })
  const act = (name: AnsweredControl, acted: Readonly<Record<string, unknown>> = {}) =>
    control(target, name, acted, { names: { sn: terminalSn } })
  const keep = async (name: string, sn = terminalSn) => {
    views[name] = await control(target, 'screen', undefined, { names: { sn } })
  }
  await keep('idle')
  await sell(1000, { tipConfig })
  await keep('present-card')
  await act('present-card', { card: 'visa-chip-pin' })
  await keep('tip')
  await act('choose-tip', { tipAmount: 250 })
  await keep('pin')
  await act('enter-pin', { correct: false })
  await keep('pin-again')
  await act('enter-pin')
  await keep('result')
  await sell(30_000)
  await sell(100)
  await act('present-card', { card: 'visa-contactless' })
  await keep('insert-card')
  await act('cancel-at-terminal')
  await keep('next')
  await act('cancel-at-terminal')
  await keep('cancelled')
  await sell(1000)
  await act('present-card', { card: 'discover-swipe' })
  await keep('signature')
  await act('sign')
  await sell(1000)
  await act('present-card', { card: 'amex-chip', outcome: 'insufficient-funds' })
  await keep('declined')
  await sell(1000)
  await act('present-card', { card: 'amex-chip', outcome: 'late-approval' })
  await keep('processing')
  await act('set-terminal', { online: false })
  await keep('offline')
  await keep('auto', 'TBX-AUTO-001')
  await close()
  rmSync(state, { recursive: true, force: true })
  return views
}

/** Lines with the texts of both copies. */
export const receiptTexts = {
  transactionId: '1795161261276000',
  merchant: [
    { kind: 'title', text: 'Tillbox Coffee' },
    ...lines(40),
    { kind: 'text', text: 'Merchant copy' },
  ],
  customer: [
    { kind: 'title', text: 'Tillbox Coffee' },
    { kind: 'text', text: 'Customer copy' },
  ],
} as const

function lines(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'pair' as const,
    label: `line ${index}`,
    value: 'x',
  }))
}
