import { expect, test } from 'vitest'
import { prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'

/** A server with a space. */
async function serverWith(name: string): Promise<LaunchedSandbox> {
  const server = await startSandboxCommand()
  await server.json(`space create ${name}`)
  return server
}

const sale = 'sale --amount 10.00'

test('--space and TILLBOX_SPACE lead every command to the space, without a key of another, and refuse what is none', async () => {
  const { json, run, fails: refuses, url, apiKey } = await serverWith('ci-1')
  await json(`${sale} --space ci-1`)
  await run(sale, { TILLBOX_SPACE: 'ci-1' })
  await prints(run(`${sale} --space ci-1`, { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: apiKey }))
  expect((await json('list --space ci-1')).transactions).toHaveLength(3)
  expect((await json('list')).transactions).toHaveLength(0)
  expect((await json(`list --base-url ${url} --space ci-1`)).transactions).toHaveLength(3)
  expect((await json(`list --base-url ${url}/s/ci-1`)).transactions).toHaveLength(3)
  await refuses(`${sale} --space nope`, 1, 'There is no space nope')
  await refuses(`${sale} --space No`, 2, '--space No cannot be the name of a space')
  const other = `${sale} --base-url ${url}/s/ci-1 --space ci-2`
  await refuses(other, 2, 'is of the space ci-1, and --space names ci-2')
  const elsewhere = { TILLBOX_BASE_URL: `${url}/s/nope`, TILLBOX_SPACE: 'nope' }
  await prints(run('list --space ci-1', elsewhere), '10.00')
  await prints(run(`list --base-url ${url}/s/ci-1`, elsewhere), '10.00')
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
