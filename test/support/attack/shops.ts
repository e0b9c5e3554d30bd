import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { scratchFolder } from '../commands/scratch.ts'
import { freePort } from '../network/ports.ts'
import { type Program, python } from '../programs.ts'
import { projectRoot } from '../project.ts'

/** Languages of the shops. */
export type ShopName = keyof typeof shops

const folder = join(projectRoot, 'examples/attack')

/** The shops of examples/attack. `file`: in that folder; `command`: starts it, at the port PORT. */
export const shops = {
  node: { isThere: 'true', packages: 'nodejs', file: 'node/shop.js', command: 'node' },
  python: { isThere: `${python} --version`, packages: 'python3', file: 'python/shop.py', command: python },
  php: {
    isThere: 'php --version',
    packages: 'php-cli',
    file: 'php/shop.php',
    command: 'PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:$PORT',
  },
} as const satisfies Record<string, Program & { readonly file: string; readonly command: string }>

/** What a shop answers of an order. Amounts in major units. */
interface OrderView {
  readonly id: string
  readonly amount: string
  readonly status: string
  readonly shipped: boolean
  readonly refunded: string
  readonly url?: string
}

/** A shop whose process can be killed and started again. */
export type RunningShop = Awaited<ReturnType<typeof startShop>>

/** Runs a shop until the test ends. `env`: the variables that `tillbox exec` gives. */
export async function startShop(name: ShopName, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const data = join(scratchFolder(), 'orders.json')
  const { file, command } = shops[name]
  const begin = () => {
    const child = spawn('bash', ['-c', `exec env ${command} "$0"`, join(folder, file)], {
      env: { PATH: process.env.PATH, ...env, PORT: String(port), DATA: data },
      stdio: 'ignore',
      detached: true, // a group of its own: PHP has a process for each worker
    })
    return { child, ended: once(child, 'close') }
  }
  let running = begin()
  const untilOpen = () =>
    expect
      .poll(() => {
        if (running.child.exitCode !== null) running = begin() // a killed worker held the port for a moment
        return fetch(`${url}/orders`).then(({ status }) => status, String)
      })
      .toBe(200)
  const ask = async (path: string, init: RequestInit = {}) => (await fetch(`${url}${path}`, init)).json()
  const kill = async () => {
    if (running.child.exitCode === null && running.child.pid) process.kill(-running.child.pid, 'SIGKILL')
    await running.ended
  }
  onTestFinished(kill)
  await untilOpen()
  return {
    url,
    /** Posts JSON; resolves to what is answered. Errors: the connection broke. */
    post: (path: string, members: object = {}): Promise<OrderView> =>
      ask(path, { method: 'POST', body: JSON.stringify(members) }),
    order: async (id: string): Promise<OrderView | undefined> =>
      (await ask('/orders')).find((order: OrderView) => order.id === id),
    kill,
    start: async () => {
      running = begin()
      await untilOpen()
    },
  }
}
