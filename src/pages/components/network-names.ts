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

/** A network the way people write it; an unknown one as it is. */
export const networkName = (code: string): string => namesByCode.get(code) ?? code
