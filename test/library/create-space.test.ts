import { expect, test } from 'vitest'
import { createSandbox, InvalidOption, type TestSandbox } from '../../src/library/index.ts'
import { openSandboxSource } from '../../src/library/use-sandbox.ts'
import { askJson } from '../support/network/ask-json.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

/** A server, and a way to make spaces in it. */
async function server() {
  const first = await openTestSandbox()
  const spaces = async (): Promise<{ name: string; expiresAt: string | null }[]> =>
    (await askJson(`${first.url}/_sandbox/spaces`)).data.spaces
  return { first, spaces, connect: { url: first.url } }
}

const saleIn = ({ client }: TestSandbox) =>
  client.sale({ amount: { orderAmount: 100, priceCurrency: 'USD' } })

test('a space sees its own payments alone, and is removed when it is closed', async () => {
  const { first, spaces, connect } = await server()
  const [one, two] = await Promise.all([createSandbox({ connect }), createSandbox({ connect })])
  await saleIn(one)
  const counts = await Promise.all([first, one, two].map((sandbox) => sandbox.state()))
  expect(counts.map(({ transactions }) => transactions)).toEqual([0, 1, 0])
  expect(one.env).toMatchObject({ TILLBOX_BASE_URL: one.url, TILLBOX_API_KEY: one.apiKey })
  expect(one.env).not.toHaveProperty('TILLBOX_STATE')
  await one.close()
  await one.close()
  const left = (await spaces()).map(({ name }) => `${first.url}/s/${name}`)
  expect(left).toEqual([`${first.url}/s/default`, two.url])
})

test('a space expires after an hour, or after ttl', async () => {
  const { spaces, connect } = await server()
  await createSandbox({ connect })
  await createSandbox({ connect: { ...connect, ttl: '5m' } })
  const [, usual, short] = (await spaces()).map(({ expiresAt }) => Date.parse(expiresAt ?? '') - Date.now())
  expect(Math.round((usual ?? 0) / 60_000)).toBe(60)
  expect(Math.round((short ?? 0) / 60_000)).toBe(5)
})

test('a new space is made beside the space that the URL names', async () => {
  const { first, spaces, connect } = await server()
  const one = await createSandbox({ connect })
  const two = await createSandbox({ connect: { url: `${one.url}/` } })
  await saleIn(two)
  const counts = await Promise.all([one, two].map((sandbox) => sandbox.state()))
  expect(counts.map(({ transactions }) => transactions)).toEqual([0, 1])
  expect((await spaces()).map(({ name }) => `${first.url}/s/${name}`)).toContain(two.url)
  await two.close()
  expect(await spaces()).toHaveLength(2)
})

test('the error for connect says how to name a server, and what sets the variables', async () => {
  const messageOf = (connect: unknown) =>
    createSandbox({ connect: connect as object }).catch(({ message }: Error) => message)
  expect(await messageOf('env')).toBe(
    'connect must be an object with the url of a server, or {} for that of TILLBOX_BASE_URL; it is "env". ' +
      "The text 'env' is for useSandbox and sandboxTest",
  )
  expect(await messageOf({})).toMatch(
    /^url is missing, and TILLBOX_BASE_URL is not set: .*tillbox sandbox env/,
  )
})

test('a space with a frozen clock freezes no other', async () => {
  const { first, connect } = await server()
  const space = await createSandbox({ connect, clock: 'frozen' })
  await space.reset({ everything: true })
  const [own, other] = await Promise.all([space, first].map(({ url }) => askJson(`${url}/_sandbox/clock`)))
  expect(own).toMatchObject({ data: { frozen: true } })
  expect(other).toMatchObject({ data: { frozen: false } })
})

test.each([
  [{ strict: true }, /^strict is an option of the server/],
  [{ pace: 5 }, /^pace is an option of the server/],
  [{ connect: { url: 'nowhere' } }, /^url must be a URL/],
  [{ connect: { url: 'http://127.0.0.1:1', ttl: 'soon' } }, /^connect\.ttl must be milliseconds/],
  [{ connect: { url: 'http://127.0.0.1:1', tll: '1h' } }, /^tll is not an option of connect/],
])('createSandbox with connect refuses %j', async (options, message) => {
  const connect = { url: 'http://127.0.0.1:1' }
  const refused = await createSandbox({ connect, ...(options as object) }).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(InvalidOption)
  expect((refused as Error).message).toMatch(message)
})

test('a file of tests with connect and a URL gets a new space for each test and removes it at the end', async () => {
  const { spaces, connect } = await server()
  const source = await openSandboxSource({ connect })
  await saleIn(await source.next())
  const anew = await source.next()
  expect([source.isShared, (await anew.state()).transactions]).toEqual([false, 0])
  expect(await spaces()).toHaveLength(2)
  await source.close()
  expect(await spaces()).toHaveLength(1)
})
