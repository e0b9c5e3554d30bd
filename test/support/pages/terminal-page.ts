import { expect } from 'vitest'
import type { ScreenView } from '../../../src/contract/control/screens.ts'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { createState } from '../../../src/domain/state.ts'
import type { AnyJson } from '../any-json.ts'
import { apiHeaders, sale } from '../service/service.ts'
import { formType } from './session-page.ts'
import { fetchPlain, openShop, storyIn } from './shop-front.ts'

/** The attended terminal of the fixture. */
export const terminalSn = 'TBX-ATTENDED-001'

export const tipConfig = { onScreenTip: true }

/** A till, and the terminal beside it. */
export type TerminalPage = Awaited<ReturnType<typeof openTerminalPage>>

/** Opens a sandbox and opens the page of its terminal; it is closed after the test. */
export async function openTerminalPage() {
  const { send, ...shop } = await openShop()
  const { url, sandbox } = shop
  const control = (method: string, path: string, members?: object) =>
    send(method, `/_sandbox/${path}`, members)
  const till = async (operation: string, members: object): Promise<AnyJson> => {
    const { text } = await fetchPlain(`${url}/v1/semi-integration/transaction/${operation}`, {
      method: 'POST',
      headers: apiHeaders(),
      body: JSON.stringify({ terminalSn, ...members }),
    })
    return JSON.parse(text)
  }
  /** Address of the terminal's page. */
  const page = `${url}/terminal/${terminalSn}`
  return {
    ...shop,
    page,
    /** Calls the control interface; returns its data. */
    control,
    /** Calls an operation as the till does; returns the answer, accepted or refused. */
    till,
    /** Pushes a sale to the terminal; returns its id. */
    sell: async (amount = 1000, more: object = {}): Promise<string> => {
      const answer = await till('sale', sale(amount, { terminalSn, ...more }))
      expect(answer).toMatchObject({ code: '0' })
      return answer.data.transactionId
    },
    /** Does something at the terminal past the page, as another window would. */
    act: (what: string, members: object = {}) => control('POST', `terminals/${terminalSn}/${what}`, members),
    /** Another state takes the place of this one: nothing but the fixtures is left. */
    replaceState: () => sandbox().engine.reset(() => createState(builtIn)),
    screen: (): Promise<ScreenView> => control('GET', `terminals/${terminalSn}/screen`),
    /** What happened to a transaction, in order. */
    story: async (id: string) => storyIn(await control('GET', `transactions/${id}`)),
    /** Posts a form of the page. */
    post: (act: string, body: Readonly<Record<string, string>> | string = '', headers: object = {}) =>
      fetchPlain(`${page}/${act}`, { method: 'POST', body, headers: { ...formType, ...headers } }),
  }
}
