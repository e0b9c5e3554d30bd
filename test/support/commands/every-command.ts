import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '../../../src/contract/operations.ts'
import { projectRoot } from '../project.ts'
import { commands } from './manifest.ts'

const [serial, transaction] = ['TBX-ATTENDED-001', '1795159696581000']
const webhook = '9bd81f17-e7fd-8000-8006-60b2cc789660'

/** What the first example of each operation has behind its command, by its id. */
const ofOperations = Object.values(operations).map(({ command }) => {
  const id = command.replaceAll(' ', ':')
  const example = commands[id]?.examples[0] ?? ''
  return [id, example.replace(`tillbox ${command}`, '').trimStart()]
})

/** What each command that talks to somebody needs to get that far, by its id. */
export const everyCommand: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ofOperations),
  api: 'get /v1/merchant/query',
  audit: '',
  auth: '--amount 10.00 --wait 50ms',
  'batch:close': `--yes --terminal ${serial}`,
  'batch:query': `--terminal ${serial}`,
  cards: '',
  'checkout:cancel': 'cs_1',
  'checkout:list': '',
  'checkout:pay': 'cs_1',
  'checkout:refund': `${transaction} --wait 50ms`,
  'checkout:sale': '--amount 10.00 --card visa',
  'checkout:show': 'cs_1',
  'checkout:wallet-payload': '--card own-card',
  'forced-auth': '--amount 10.00 --wait 50ms',
  list: '',
  listen: '',
  'logs:export': 'all.har',
  'logs:show': '1',
  'logs:tail': '',
  mcp: '',
  'merchant:add': 'M3',
  'merchant:list': '',
  outcomes: '',
  sale: '--amount 10.00 --wait 50ms',
  'sandbox:snapshot:diff': 'base',
  'sandbox:snapshot:list': '',
  'sandbox:snapshot:remove': 'base --yes',
  'sandbox:snapshot:restore': 'base --yes',
  'sandbox:snapshot:save': 'base',
  'sandbox:clock': '--freeze',
  'sandbox:export': join(tmpdir(), `tillbox-${process.pid}-never-written.jsonl`),
  'sandbox:fault': 'lost-answer',
  'sandbox:key:allow-ip': '127.0.0.1',
  'sandbox:key:list': '',
  'sandbox:key:rotate': '',
  'sandbox:open': '',
  'sandbox:import': `${join(projectRoot, 'package.json')} --yes`,
  'sandbox:reset': '--yes',
  'sandbox:status': '',
  'sandbox:env': '',
  'sandbox:wait': '--timeout 50ms',
  'scenario:record': '',
  'terminal:add': serial,
  'terminal:open': serial,
  'terminal:cancel': serial,
  'terminal:list': '',
  'terminal:offline': serial,
  'terminal:online': serial,
  'terminal:pair': 'K7M3PX',
  'space:create': 'ci-1',
  'space:list': '',
  'space:remove': 'ci-1 --yes',
  'space:show': 'ci-1',
  'terminal:pin': serial,
  'terminal:present': `${serial} --card visa-contactless`,
  'terminal:queue': `${serial} decline`,
  'terminal:receipt': transaction,
  'terminal:remove': serial,
  'terminal:rename': `${serial} Bar`,
  'terminal:set': `${serial} --pace 1`,
  'terminal:show': serial,
  'terminal:sign': serial,
  'terminal:tip': `${serial} --amount 1.00`,
  'terminal:unpair': serial,
  test: `${join(projectRoot, 'fixtures/scenarios/void.yaml')} --state .tillbox`,
  'token:create': 'lee --scope admin',
  'token:list': '',
  'token:revoke': 'lee --yes',
  trigger: 'refund-partial',
  void: `${transaction} --wait 50ms`,
  'webhook:fault': '--drop 1',
  'webhook:hold': '',
  'webhook:list': '',
  'webhook:order': '',
  'webhook:replay': webhook,
  'webhook:release': webhook,
  'webhook:resend': webhook,
  'webhook:secret': '',
  'webhook:send': transaction,
  'webhook:show': webhook,
  'webhook:sign': '--body {}',
  'webhook:receive': '',
  'webhook:verify': '--body {} --header X-Signature:0',
  'webhook:wait': '--timeout 1s',
}

/** The command as it is typed. */
export const typedCommandOf = (id: string): string =>
  `${id.replaceAll(':', ' ')} ${everyCommand[id] ?? ''}`.trimEnd()
