/** How a public SDK sends its requests, as it was seen to. */
export interface Sdk {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Sends X-Client-Request-Id as 32 hexadecimal digits. */
  readonly undashed?: boolean
  /** Sends `pushToTerminal` on incremental auth, post auth, refund and void, set or not. */
  readonly alwaysPushes?: boolean
  /** Sends null for every optional member that is not set, and raises an error on members it does not know. */
  readonly strict?: boolean
  /** Where its tipConfig stands. */
  readonly tipConfig: 'beside' | 'inside'
  readonly suggestions: unknown
  /** How it asks for open batches. */
  readonly batchQuery: 'GET' | 'POST'
  /** Knows the list of closed batches and the look-ups of merchant and terminals. */
  readonly looksUp: boolean
}

const kernel = 'Linux/6.1.0'

/** The public SDKs beside the Node one, which the tests run as it is. */
export const sdks: readonly Sdk[] = [
  {
    name: 'Go',
    headers: { 'User-Agent': 'SunbayNexusSDK-Go/1.0.0 Go/go1.19.8 Linux/12', 'Accept-Encoding': 'gzip' },
    tipConfig: 'beside',
    suggestions: [{ names: ['some', 'more'], feeMode: 'RATE', values: [15, 20] }],
    batchQuery: 'GET',
    looksUp: false,
  },
  {
    name: 'Java',
    headers: {
      'User-Agent': `SunbayNexusSDK-Java/1.0.13 Java/17.0.15 ${kernel}`,
      'Accept-Encoding': 'gzip,deflate',
    },
    alwaysPushes: true,
    tipConfig: 'beside',
    suggestions: [{ names: ['some', 'more'], feeMode: 'RATE', values: ['15.0', '20.0'] }],
    batchQuery: 'GET',
    looksUp: true,
  },
  {
    name: 'PHP',
    headers: { 'User-Agent': `SunbayNexusSDK-PHP/1.0.0 PHP/8.2.35 ${kernel}` },
    tipConfig: 'beside',
    suggestions: { names: ['some', 'more'], feeMode: 'RATE', values: [15, 20] },
    batchQuery: 'POST',
    looksUp: true,
  },
  {
    name: 'Python',
    headers: {
      'User-Agent': `SunbayNexusSDK-Python/1.0.14 Python/3.11.2 ${kernel}`,
      Accept: '*/*',
      'Accept-Encoding': 'gzip, deflate',
    },
    undashed: true,
    alwaysPushes: true,
    strict: true,
    tipConfig: 'inside',
    suggestions: { feeMode: 'RATE', values: [15, 20] },
    batchQuery: 'POST',
    looksUp: false,
  },
  {
    name: '.NET',
    headers: { 'User-Agent': `SunbayNexusSDK-CSharp/1.0.6 CSharp/8.0.11 ${kernel}` },
    undashed: true,
    tipConfig: 'beside',
    suggestions: { names: ['some', 'more'], feeMode: 'RATE', values: [15, 20] },
    batchQuery: 'GET',
    looksUp: true,
  },
]
