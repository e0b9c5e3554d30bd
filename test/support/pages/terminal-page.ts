import { expect } from 'vitest'
import type { ScreenView } from '../../../src/contract/sandbox/screens.ts'
import { createState } from '../../../src/domain/state.ts'
import { builtIn } from '../../../src/fixtures.ts'
import type { AnyJson } from '../any-json.ts'
import type { PlainAnswer } from '../network/exchange.ts'
import { apiHeaders, sale } from '../service/service.ts'
import { formType } from './session-page.ts'
import { fetchPlain, openShop, type Shop } from './shop-front.ts'

/** The attended terminal of the fixture. */
export const terminalSn = 'TBX-ATTENDED-001'

export const tipConfig = { onScreenTip: true }

/** A till, and the terminal beside it. */
export interface TerminalPage extends Pick<Shop, 'url' | 'state' | 'sandbox' | 'restart' | 'advance'> {
  /** Address of the terminal's page. */
  readonly page: string
  /** Pushes a sale to the terminal; returns its id. */
  sell(amount?: number, more?: object): Promise<string>
  /** Calls an operation as the till does; returns the answer, accepted or refused. */
  till(operation: string, members: object): Promise<AnyJson>
  /** Calls the control interface; returns its data. */
  control(method: string, path: string, members?: object): Promise<AnyJson>
  /** Does something at the terminal past the page, as another window would. */
  act(what: string, members?: object): Promise<unknown>
  screen(): Promise<ScreenView>
  /** Another state takes the place of this one: nothing but the fixtures is left. */
  replaceState(): Promise<void>
  /** What happened to a transaction, in order. */
  story(id: string): Promise<string[]>
  /** Posts a form of the page. */
  post(
    act: string,
    fields?: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PlainAnswer>
}

/** Opens a sandbox and opens the page of its terminal; it is closed after the test. */
export async function openTerminalPage(): Promise<TerminalPage> {
  const { send, ...shop } = await openShop()
  const { url, sandbox } = shop
  const control: TerminalPage['control'] = (method, path, members) =>
    send(method, `/_sandbox/${path}`, members)
  const till: TerminalPage['till'] = async (operation, members) => {
    const { text } = await fetchPlain(`${url}/v1/semi-integration/transaction/${operation}`, {
      method: 'POST',
      headers: apiHeaders(),
      body: JSON.stringify({ terminalSn, ...members }),
    })
    return JSON.parse(text)
  }
  const page = `${url}/terminal/${terminalSn}`
  return {
    ...shop,
    page,
    control,
    till,
    sell: async (amount = 1000, more = {}) => {
      const answer = await till('sale', sale(amount, { terminalSn, ...more }))
      expect(answer).toMatchObject({ code: '0' })
      return answer.data.transactionId
    },
    act: (what, members = {}) => control('POST', `terminals/${terminalSn}/${what}`, members),
    replaceState: () => sandbox().engine.reset(() => createState(builtIn)),
    screen: () => control('GET', `terminals/${terminalSn}/screen`),
    story: async (id) =>
      (await control('GET', `transactions/${id}`)).timeline.map(({ what }: { what: string }) => what),
    post: (act, fields = '', headers = {}) =>
      fetchPlain(`${page}/${act}`, {
        method: 'POST',
        body: fields,
        headers: { ...formType, ...headers },
      }),
  }
}
