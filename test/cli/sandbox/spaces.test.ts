import { expect, test } from 'vitest'
import { fails, prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'

/** A server with a space. */
async function serverWith(name: string): Promise<LaunchedSandbox & { readonly apiKeyOfSpace: string }> {
  const server = await startSandboxCommand()
  const { apiKey } = await server.json(`space create ${name}`)
  return { ...server, apiKeyOfSpace: apiKey }
}

const sale = 'sale --amount 10.00'

test('--space and TILLBOX_SPACE lead every command to the space, and --space refuses a base URL of another one', async () => {
  const { json, run, url } = await serverWith('ci-1')
  await json(`${sale} --space ci-1`)
  await run(sale, { TILLBOX_SPACE: 'ci-1' })
  expect((await json('list --space ci-1')).transactions).toHaveLength(2)
  expect((await json('list')).transactions).toHaveLength(0)
  expect((await json(`list --base-url ${url} --space ci-1`)).transactions).toHaveLength(2)
  expect((await json(`list --base-url ${url}/s/ci-1`)).transactions).toHaveLength(2)
  const refused = run(`${sale} --base-url ${url}/s/ci-1 --space ci-2`)
  await fails(refused, 2, /is of the space ci-1, and --space names ci-2/)
})

test('--space does not send a key of another space', async () => {
  const { json, run, url, apiKey } = await serverWith('ci-1')
  const ofFirst = { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: apiKey }
  expect((await run(`${sale} --space ci-1`, ofFirst)).code).toBe(0)
  expect((await json('list --space ci-1')).transactions).toHaveLength(1)
})

test.each([
  ['--space nope', 1, /There is no space nope/],
  ['--space No', 2, /--space No cannot be the name of a space/],
])('--space refuses %j', async (flags, code, message) => {
  const { run } = await serverWith('ci-1')
  const ended = await run(`${sale} ${flags}`)
  expect(ended.code).toBe(code)
  expect(ended.stderr).toMatch(message)
})

test('space commands create, list, show and remove spaces, whatever TILLBOX_SPACE names', async () => {
  const { run, url } = await serverWith('ci-1')
  const gone = { TILLBOX_SPACE: 'gone' }
  await prints(run('space create ci-2 --ttl 1h', gone), /Created space ci-2/, `${url}/s/ci-2`)
  const listed = (await run('space list', gone)).stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(listed.map(([name, count]) => [name, count])).toEqual([
    ['space', 'transactions'],
    ['default', '0'],
    ['ci-1', '0'],
    ['ci-2', '0'],
    ['', undefined],
  ])
  await prints(run('space show ci-1', gone), /never, until you remove it/)
  expect((await run('space remove ci-1 --yes', gone)).stdout).toBe('Removed the space ci-1.\n')
})
