/** ISO 4217 codes in use that have a minor unit, by the number of decimals of the major unit (exponent). */
const codesByExponent = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
    'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU ' +
    'MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
    'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED ' +
    'VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
} as const

const exponents = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
)

/** True for an active ISO 4217 code with a minor unit. docs/api.md#service-6 */
export const isCurrency = (code: string): boolean => exponents.has(code)

/** Decimals of the currency's major unit: USD 2, JPY 0, KWD 3. Undefined for an unknown code. */
export const exponentOf = (code: string): number | undefined => exponents.get(code)

/** Minor units as text in major units: `formatAmount(1000, 'USD')` is `10.00`. */
export function formatAmount(minorUnits: number, currency: string): string {
  const exponent = exponentOf(currency) ?? 0
  const digits = String(Math.abs(minorUnits)).padStart(exponent + 1, '0')
  const sign = minorUnits < 0 ? '-' : ''
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
