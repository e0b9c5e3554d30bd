import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '../../src/contract/operations.ts'
import { commands } from '../support/commands/manifest.ts'
import { projectRoot } from '../support/project.ts'

const [serial, transaction] = ['TBX-ATTENDED-001', '1795159696581000']
const webhook = '9bd81f17-e7fd-8000-8006-60b2cc789660'

/** What the first example of each operation has behind its command, by its id. */
const ofOperations = Object.values(operations).map(({ command }) => {
  const id = command.replaceAll(' ', ':')
  const example = commands[id]?.examples[0] ?? ''
  return [id, example.replace(`tillbox ${command}`, '').trimStart()]
})

/** Take a URL and call nobody, or end otherwise. */
const silent = ['doctor', 'profile:set', 'whoami']

const talking = Object.keys(commands).filter(
  (id) => 'base-url' in (commands[id]?.flags ?? {}) && !silent.includes(id),
)

/** What each command that talks to somebody needs to get that far, by its id; those below need more than nothing. */
export const everyCommand: Readonly<Record<string, string>> = {
  ...Object.fromEntries(talking.map((id) => [id, ''])),
  ...Object.fromEntries(ofOperations),
  ...Object.fromEntries(
    ['add', 'open', 'cancel', 'offline', 'online', 'pin', 'remove', 'show', 'sign', 'unpair'].map((act) => [
      `terminal:${act}`,
      serial,
    ]),
  ),
  api: 'get /v1/merchant/query',
  auth: '--amount 10.00 --wait 50ms',
  'batch:close': `--yes --terminal ${serial}`,
  'batch:query': `--terminal ${serial}`,
  'checkout:cancel': 'cs_1',
  'checkout:pay': 'cs_1',
  'checkout:refund': `${transaction} --wait 50ms`,
  'checkout:sale': '--amount 10.00 --card visa',
  'checkout:show': 'cs_1',
  'checkout:wallet-payload': '--card own-card',
  'forced-auth': '--amount 10.00 --wait 50ms',
  'logs:export': 'all.har',
  'logs:show': '1',
  'merchant:add': 'M3',
  sale: '--amount 10.00 --wait 50ms',
  'sandbox:snapshot:diff': 'base',
  'sandbox:snapshot:remove': 'base --yes',
  'sandbox:snapshot:restore': 'base --yes',
  'sandbox:snapshot:save': 'base',
  'sandbox:clock': '--freeze',
  'sandbox:export': join(tmpdir(), `tillbox-${process.pid}-never-written.jsonl`),
  'sandbox:fault': 'lost-answer',
  'sandbox:key:allow-ip': '127.0.0.1',
  'sandbox:import': `${join(projectRoot, 'package.json')} --yes`,
  'sandbox:reset': '--yes',
  'sandbox:wait': '--timeout 50ms',
  'terminal:pair': 'K7M3PX',
  'space:create': 'ci-1',
  'space:remove': 'ci-1 --yes',
  'space:show': 'ci-1',
  'terminal:present': `${serial} --card visa-contactless`,
  'terminal:queue': `${serial} decline`,
  'terminal:receipt': transaction,
  'terminal:set': `${serial} --pace 1`,
  'terminal:tip': `${serial} --amount 1.00`,
  test: `${join(projectRoot, 'fixtures/scenarios/void.yaml')} --state .tillbox`,
  'token:create': 'lee --scope admin',
  'token:revoke': 'lee --yes',
  trigger: 'refund-partial',
  void: `${transaction} --wait 50ms`,
  'webhook:release': webhook,
  'webhook:resend': webhook,
  'webhook:send': transaction,
  'webhook:show': webhook,
  'webhook:sign': '--body {}',
  'webhook:verify': '--body {} --header X-Signature:0',
  'webhook:wait': '--timeout 1s',
}

/** The command as it is typed. */
export const typedCommandOf = (id: string): string =>
  `${id.replaceAll(':', ' ')} ${everyCommand[id] ?? ''}`.trimEnd()
