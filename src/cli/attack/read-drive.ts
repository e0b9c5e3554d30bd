import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { checked } from '../../sandbox/fixture-files/fixtures-problems.ts'
import { readYaml, UnreadableText } from '../../sandbox/fixture-files/source-lines.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import type { Drive } from '../../testing/attack/attack.ts'
import type { Scenario } from '../../testing/scenario/file/read-scenario.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
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

const serverRemedy = "docs/attack.md shows how the merchant's server is described"
const ordersRemedy =
  'Add server.orders to the scenario, or name a file with --orders; docs/attack.md shows both'

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

async function ordersIn(path: string): Promise<unknown> {
  const text = usingFile(
    () => decodeText(readFileSync(path)),
    `Cannot read ${path}`,
    'Name a file that says where the merchant lists its orders; docs/attack.md shows one',
    'orders',
  )
  const { value } = await readYaml(text, () => true).catch((error: Error) => {
    throw error instanceof UnreadableText
      ? new UsageError(`${path} ${error.message}`, 'Fix the file; docs/attack.md shows one', 'orders')
      : error
  })
  return v.is(v.object({ orders: v.unknown() }), value) ? value.orders : value
}
