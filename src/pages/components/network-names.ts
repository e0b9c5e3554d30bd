import type { Network } from '../../contract/card-numbers.ts'

const names: Readonly<Record<Network['name'], string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  DINERS: 'Diners Club',
  UNIONPAY: 'UnionPay',
}

/** The networks that a mark is drawn for. */
export const networkCodes = Object.keys(names)

const namesByCode = new Map(Object.entries({ ...names, WECHAT: 'WeChat Pay', ALIPAY: 'Alipay' }))

/** Display name of a network; an unknown code is unchanged. */
export const networkName = (code: string): string => namesByCode.get(code) ?? code
