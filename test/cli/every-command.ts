import { join } from 'node:path'
import { commands } from '../support/commands/manifest.ts'
import { projectRoot } from '../support/project.ts'

/** Take a URL and call nobody, or end otherwise. */
const silent = ['doctor', 'drift', 'profile:set', 'whoami']

const talking = Object.entries(commands).filter(
  ([id, { flags }]) => 'base-url' in flags && !silent.includes(id),
)

/** What each command that talks to somebody needs to get that far, by its id: what its first example has, or this. */
export const everyCommand: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    talking.map(([id, { examples }]) => [
      id,
      (examples[0] ?? '').split(`${id.replaceAll(':', ' ')} `)[1] ?? '',
    ]),
  ),
  auth: '--amount 10.00 --wait 50ms',
  'batch:close': '--yes',
  'checkout:refund': '1795159696581000 --wait 50ms',
  'checkout:wallet-payload': '--card own-card',
  'forced-auth': '--amount 10.00 --wait 50ms',
  listen: '',
  mcp: '',
  'merchant:add': 'M3',
  sale: '--amount 10.00 --wait 50ms',
  'sandbox:clock': '--freeze',
  'sandbox:env': '',
  'sandbox:import': `${join(projectRoot, 'package.json')} --yes`,
  'sandbox:key:allow-ip': '127.0.0.1',
  'sandbox:reset': '--yes',
  'sandbox:snapshot:remove': 'base --yes',
  'sandbox:snapshot:restore': 'base --yes',
  'sandbox:wait': '--timeout 50ms',
  'space:remove': 'ci-1 --yes',
  test: `${join(projectRoot, 'fixtures/scenarios/void.yaml')} --state .tillbox`,
  'token:revoke': 'lee --yes',
  trigger: 'refund-partial',
  void: '1795159696581000 --wait 50ms',
  'webhook:sign': '--body {}',
  'webhook:verify': '--body {} --header X-Signature:0',
  'webhook:wait': '--timeout 1s',
  why: '1795159696581000',
}

/** The command as it is typed. */
export const typedCommandOf = (id: string): string =>
  `${id.replaceAll(':', ' ')} ${everyCommand[id] ?? ''}`.trimEnd()
