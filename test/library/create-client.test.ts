import { expect, test } from 'vitest'
import {
  type CallOptions,
  type ClientOptions,
  type ConnectOptions,
  connectSandbox,
  createClient,
  InvalidOption,
  Unreachable,
} from '../../src/library/index.ts'

const wrongUrl = 'url must be a URL with http:// or https://, such as http://127.0.0.1:8455'
const known = { url: 'http://127.0.0.1:8455', apiKey: 'key' }

test.each([
  [{ baseUrl: known.url }, 'baseUrl is not an option of a client; did you mean url?'],
  [{ apiKey: 'key' }, 'url is missing: createClient needs url and apiKey'],
  [undefined, 'url is missing: createClient needs url and apiKey'],
  [{ ...known, url: '127.0.0.1:8455' }, `${wrongUrl}; it is "127.0.0.1:8455"`],
  [{ ...known, apiKey: '@key.txt' }, 'apiKey must be letters, digits and - . _ ~ + / ='],
  [{ ...known, timeout: '5s' }, 'timeout must be a number of milliseconds; it is "5s"'],
  [{ ...known, timeout: 0 }, 'timeout must be at least 1; it is 0'],
])('createClient refuses %j', (options, message) => {
  const make = () => createClient(options as ClientOptions)
  expect(make).toThrow(InvalidOption)
  expect(make).toThrow(message)
})

test('a method refuses a member that its operation does not have, before anything is sent', async () => {
  const sale = { amount: 1000, priceCurrency: 'USD', referenceOrderID: 'ORDER-1' }
  const message = 'referenceOrderID is not a member of sale; did you mean referenceOrderId?'
  await expect(createClient(known).sale(sale)).rejects.toThrow(message)
})

test.each([
  [{ outcom: 'lost-card' }, 'outcom is not an option of a call; did you mean outcome?'],
  [{ timeout: '5s' }, 'timeout must be a number of milliseconds; it is "5s"'],
  [{ headers: { 'X-Trace': 1 } }, 'headers must be a text; it is {"X-Trace":1}'],
])('a method refuses the options %j of a call, before anything is sent', async (options, message) => {
  const calling = createClient(known).sale({ amount: 1000, priceCurrency: 'USD' }, options as CallOptions)
  await expect(calling).rejects.toThrow(InvalidOption)
  await expect(calling).rejects.toThrow(message)
})

test('a request that cannot be written has no lost answer', async () => {
  const { sale } = createClient(known)
  const request = { amount: 1000, priceCurrency: 'USD' }
  await expect(sale({ ...request, amount: 10n as never })).rejects.toThrow(TypeError)
  await expect(sale(request, { headers: { 'X-Trace': 'a\nb' } })).rejects.toThrow(Unreachable)
})

test('createClient takes undefined as left out, and its error for an API key does not show the key', () => {
  expect(createClient({ ...known, timeout: undefined, terminalSn: undefined })).toHaveProperty('sale')
  expect(() => createClient({ ...known, apiKey: 'a secret key' })).not.toThrow(/a secret key/)
})

test.each([
  [{ baseUrl: known.url }, 'baseUrl is not an option of connectSandbox; did you mean url?'],
  [{ url: 'localhost:1' }, 'url must be a URL'],
])('connectSandbox refuses %j', async (options, message) => {
  await expect(connectSandbox(options as ConnectOptions)).rejects.toThrow(InvalidOption)
  await expect(connectSandbox(options as ConnectOptions)).rejects.toThrow(message)
})
