import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checked } from '../../sandbox/fixture-files/fixtures-problems.ts'
import type { Drive } from '../../testing/attack/lane.ts'
import type { Scenario } from '../../testing/scenario/file/read-scenario.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { readScenarios } from '../scenario/read-scenarios.ts'

type DriveFlags = { readonly drive: string } & {
  readonly [F in 'url' | 'restart' | 'reconcile' | 'orders']: string | undefined
}

/** The drive of an attack: a scenario file, or a command. */
export async function readDrive(flags: DriveFlags): Promise<Drive> {
  const { url, drive, restart, reconcile, orders } = flags
  const isFile = /\.(ya?ml|json)$/.test(drive)
  if (isFile && !existsSync(drive))
    throw new UsageError(`${drive} does not exist`, 'Name a scenario file, or a command', 'drive')
  const [file] = isFile ? await readScenarios([drive], true) : []
  const { serverSection } = await import('../../testing/scenario/merchant/server-schema.ts')
  const { whereIsIt } = await import('../../testing/scenario/merchant/merchant-server.ts')
  const section = {
    ...file?.server,
    ...(url !== undefined && { url }),
    ...(restart !== undefined && { start: restart }),
    ...(reconcile !== undefined && { reconcile }),
    ...(orders !== undefined && { orders: await ordersIn(orders) }),
  }
  const { output, wrong } = checked(serverSection, section)
  if (output === undefined) {
    // The section of a scenario is checked where it is read, so what is wrong was typed.
    const [{ path, reason } = { path: [], reason: '' }] = wrong
    const [member, ...inside] = path
    const typed = member === 'start' ? 'restart' : String(member)
    const name = typed === 'url' ? '<url>' : `--${typed}`
    throw new UsageError(`${[name, ...inside].join('.')} ${reason}`, serverRemedy, typed)
  }
  if (output.url === undefined && output.start === undefined)
    throw new UsageError(whereIsIt, 'Name its URL, or its command with --restart', 'drive')
  if (output.orders === undefined)
    throw new UsageError('The drive does not say where the merchant lists its orders', ordersRemedy, 'orders')
  return { ...(file ?? commandScenario(drive)), server: output }
}

const serverRemedy = "docs/exam.md shows how the merchant's server is described"
const ordersRemedy =
  'Add server.orders to the scenario, or name a file with --orders; docs/exam.md shows both'

/** A scenario of one step: the command. It runs where tillbox does. */
const commandScenario = (command: string): Scenario => ({
  file: resolve('attack.yaml'),
  name: command,
  needs: 'sandbox',
  setup: [],
  steps: [{ action: 'command', value: command, path: ['steps', 0] }],
  teardown: [],
  positionOf: async () => ({ line: 1, column: 1 }),
})

/** Where a merchant lists its orders, as a file says. */
export async function ordersIn(path: string) {
  const { readOrdersFile, WrongOrdersFile } = await import('../../testing/scenario/merchant/orders-file.ts')
  return readOrdersFile(path).catch((error: Error) => {
    throw error instanceof WrongOrdersFile
      ? new UsageError(error.message, 'docs/exam.md shows such a file', 'orders')
      : error
  })
}
