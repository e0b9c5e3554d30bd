import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { holdsCardData } from '../../sandbox/http/card-data.ts'

/** Members whose values are words of the service, which say nothing of a person. */
const words = [
  ...['code', 'transactionResultCode', 'transactionStatus', 'transactionType', 'priceCurrency'],
  ...['relatedTransactionStatus', 'transactionBatchStatus'],
]
const word = /^[\w.-]{1,16}$/

/** What a value is; `absent` for none. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

const mostShown = 80

/** A value in a report; a list or an object by its kind. */
export function shown(name: string, value: unknown, key: string): string {
  if (typeof value === 'object' || value === undefined) return kindOf(value)
  const text = JSON.stringify(value)
  return isSecret(name, value, key) ? hiddenMark : text.slice(0, mostShown)
}

/** A value in a file: a word of the service, or what kind it is. */
export function keptOf(name: string, value: unknown, key: string): string {
  if (typeof value === 'object') return kindOf(value)
  const text = String(value)
  if (typeof value === 'boolean') return text
  if (words.includes(name) && word.test(text) && !isSecret(name, value, key)) return text
  return typeof value === 'number' ? formOf(name, value) : kindOf(value)
}

/** True for card data, for a value with the key in it, in any case, and for what is usually a secret. */
export const isSecret = (name: string, value: unknown, key: string): boolean =>
  holdsCardData(JSON.stringify({ [name]: value })) ||
  (key !== '' && String(value).toLowerCase().includes(key.toLowerCase())) ||
  (value != null && typeof value !== 'object' && (secretNames.test(name) || secretForms.test(String(value))))

/** Members that hold secrets, but for the token of a further page. */
const secretNames = /^(?!nextToken$).*(token|secret|password|pwd|apiKey|accessKey|secretKey|signature)$/i

/** Keys with a usual prefix, bearer tokens, and JSON Web Tokens. */
const secretForms = /\b([sprw]k_|whsec_|bearer |eyJ[\w-]+\.)/i

/** Members that depend on the card. */
export const fromCard = [
  ...['cardNetworkType', 'entryMode', 'authenticationMethod'],
  ...['paymentMethod', 'paymentMethodId', 'subPaymentMethod', 'subPaymentMethodId'],
]

/** A time, or a form of one. */
const timeForm = /^9999-99-99[T ]?[9:]*(\.9)?( ?\+99:99)?$/

/** The form of a value that differs from run to run: of a number its sign, of a text what it is made of. */
export function formOf(name: string, value: unknown): string {
  if (typeof value === 'number')
    return `${value < 0 ? 'negative ' : ''}${Number.isInteger(value) ? 'integer' : 'fraction'}`
  if (typeof value !== 'string') return String(value)
  if (name === 'traceId') return 'text'
  if (name === 'authCode') return `${value.length} characters`
  if (fromCard.includes(name) && /^[A-Z][A-Z_]*$/.test(value)) return 'word in capitals'
  const time = value
    .replace(/\d/g, '9')
    .replace(/\.9+/, '.9')
    .replace(/[+-]99:99$|Z$/, '+99:99')
  if (timeForm.test(time)) return time
  if (/^\d+$/.test(value))
    return ['batchNo', 'merchantId'].includes(name) ? 'digits' : `${value.length} digits`
  if (/^\d{6}\*+\d{4}$/.test(value)) return 'masked card number'
  return URL.canParse(value) ? 'URL' : 'text'
}
