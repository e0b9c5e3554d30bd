import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { inOneLine } from '../../support/commands/terminal-text.ts'
import { folderContents } from '../../support/store/folder-contents.ts'

const start = 'sandbox start --state other'
const notAlone = 'it must be an address or a name alone, such as 127.0.0.1 or ::1'
const address = 'is not a host'
const httpItself = 'is set by HTTP itself'

/** Lines that no command takes: how they begin, how they go on, and what is said. Words with a space are quoted. */
const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api: {
    'post /v1/x -d amount': 'is not a field',
    'post /v1/x -d __proto__.x=1': 'is not a field',
    'post /v1/x -d a:={': 'is not JSON',
    'post /v1/x -d a.b:=[9007199254740993]': 'which is read as 9007199254740992',
    'post /v1/x -d a=1 -d a.b=2': 'cannot be reached',
    'post /v1/x --input no-such.json': 'it does not exist',
    'post /v1/x --input - --api-key -': 'both read standard input',
    'get /x --header Content-Length:3': `--header Content-Length ${httpItself}`,
    'get https://attacker.example/x': 'is a URL, not a path',
    'get //attacker.example/x': 'is a URL, not a path',
    get: '<path> is missing',
  },
  batch: {
    'close --yes --price-currency usd': '--price-currency usd must be an active ISO 4217',
    'close --set printReceipt=MERCHANT': 'TOTAL',
    'list --start-time 2026-01-01T00:00:00Z': '--end-time is required together with --start-time',
    'list --chanel-code X': 'Did you mean --channel-code?',
    clsoe: 'Did you mean tillbox batch close?',
  },
  checkout: {
    'create --item Coffee:4x2': 'Write 4.00',
    'create --item Coffee': 'is not a product',
    'create --item Coffee:1.00x0': 'is not a product',
    'create --amount 10.00 --item Coffee:4.50x2': 'add up to 9.00 USD',
    'create --amount 9.00 --set productList=[{"name":"Coffee","amount":450,"qty":2}]':
      '✗ --set productList[0].num is required',
    'create --amount 9.01 --set productList=[{"name":"Coffee","amount":450,"num":2}]':
      'must sum to the order amount, 9.01 USD, but sums to 9.00 USD',
    expire: '--transaction-request-id',
    'wallet-payload --card visa-declind': 'Did you mean visa-declined?',
    'sale --amount 1.00 --card ebt-snap': '--card',
  },
  exec: {
    '': 'The command to run is missing',
    'npm test': 'npm is not after --',
    '--seed shop.yaml -- true': 'Did you mean --import?',
    '--ephemeral --state x -- true': '--ephemeral',
    '--pace fast -- true': '--pace fast',
  },
  init: {
    '--yes --language php --framework flask': '--framework flask is not of php',
    '--yes --language python --only webhook': 'of which python has flask and fastapi',
    '--yes --language go --only ci': 'npx tillbox exec -- go test',
    '--yes --language php --tests jest': '--tests jest is not of php',
    '--yes --language java --only config': '--only config is not of java',
  },
  list: {
    '--amount 1000': 'Write 1000.00',
    '--amount 10.00..20': 'Write 20.00',
    '--amount 20.00..10.00': '--amount 20.00..10.00 must be a range with the smaller amount first',
    '--status great': 'There is no status great',
    '--type gift': '--type gift must be one of sale',
    '--since yesterday': 'such as 2h',
    '--card 11': '--card',
  },
  listen: {
    '--events paymnt': 'Did you mean payment?',
    '--forward-to ftp://localhost:3000': 'http://',
    '--status aproved': 'Did you mean approved?',
    '--type sail': 'Did you mean sale?',
    '--retries soon': 'none, fast, default',
    '--header nothing': 'name:value',
    '--header x-signature:zzz': 'would replace the notification',
    '--header User-Agent:mine': 'would replace the notification',
    "--header 'Content-Type: a'": 'would replace the notification',
    "3000 --header 'host: shop.example'": `--header host ${httpItself}`,
    '--record no/such/folder/x': '--record',
    extra: '3000/hook for this machine',
    "'http://me:hidden@a b/x?k=hidden'": '✗ <url> http://***@a b/x?*** is not a URL',
  },
  merchant: { 'show M1000000001': 'M1000000001' },
  profile: {
    'set shop --terminal TBX-AUTO-001 --unset terminal': 'the flag that sets it exclude each other',
    'use shop --none': '<name> and --none exclude each other',
    'set p': 'No setting was passed',
    'set p --api-key k': 'has a key, but no base URL',
    'set p --terminal TBX-AUTO-001 --live': 'has --live, but no base URL',
    'set p --base-url localhost:3000': '--base-url localhost:3000 is not a URL',
    'set p --base-url http://127.0.0.1:1 --api-key k --api-key-env K': 'a key and a variable',
    'set p --base-url http://127.0.0.1:1 --api-key-env A-B': 'must be the name of a variable',
  },
  query: {
    '': '--transaction-request-id',
    '1 --base-url localhost:1': 'http://',
    'x --wait 25d': '--wait 25d is too long',
    '--transaction-request-id %%': '--transaction-request-id %% must be 1 to 64',
  },
  refund: {
    '@lsat': '✗ @lsat names no earlier result',
    '': '✗ The original transaction is missing',
    '--amount 1.00': '--reference-order-id',
    'x --tip 1.00': 'Did you mean --tip-amount?',
    '--last': 'Did you mean @last?',
    '1 --amount 1.00 --price-currency USD --dry-run --set pushToTerminal=false': 'Pass --no-push-to-terminal',
  },
  sale: {
    '': '✗ --amount is missing',
    '--amount 10.00 extra': 'extra',
    '--amount 10.00 --wait 1 --no-wait': '--no-wait',
    '--amount 1.00 --wait 40d': '--wait 40d is too long',
    '--amount 0': '✗ --amount 0 must be at least 1',
    '--amount 10': '--amount 10 could be 10.00 or 0.10 USD',
    '--minor 10 --amount 10.00': '--amount and --minor exclude each other',
    '--minor 10.5': '--minor 10.5 is not a whole number',
    '--amount 10.00 --tip-amount 2': 'Write 2.00',
    '--amount 10.00 --set tipConfig=15,18': 'Write 15.00, or --set tipConfig=15,18% for percentages',
    '--amount 1.00 --set tipConfig=2.00': '--tip-amount 2.00',
    '--amount 1.00 --set tipConfig=1%,2%,3%,4%': 'has 4 tips',
    '--amount 1.00 --set tipConfig=15,x%': 'is not a percentage',
    '--amount 9.00 --set tipConfig={"suggestions":[1]}': '✗ --set tipConfig.suggestions[0] must be an object',
    '--amount 1.00 --set signatureConfig=maybe': 'is not known',
    '--amount 1.00 --set signatureConfig=above:5': 'Write 5.00',
    '--amount 1.00 --set attach': 'it is not <field>=<value>',
    '--amount 1.00 --set atach=b': 'Did you mean attach?',
    '--amount 0.00': 'The least amount is 0.01 USD',
    '--minor 10.00': 'Write whole minor units, --minor 1000, or --amount 10.00',
    '--amount 10,00': 'do Write 10.00',
    '--amount 1,000.00': 'do Write 1000.00',
    '--amount 1.00 --set cardNetworkType=GOLD': 'Use one of',
    '--amount 1.00 --set amount=5': 'Pass --amount',
    '--amount 1.00 --set taxAmount=5': '--set taxAmount 5 could be 5.00 or 0.05 USD',
    '--amount 1.00 --price-currency usd': 'Did you mean USD?',
    '--amount 1.00 --outcome expired-crad': 'Did you mean expired-card?',
    '--amount 10.00 --notify-url x': '--notify-url x must be an http or https URL',
    '--amount 10.00 --wait-webhooks --no-wait': '--no-wait',
    "--amount 10.00 --client-request-id 'a b'": '--client-request-id a b is malformed',
    '--amout 10.00': 'Did you mean --amount?',
    '--amount 1.00 --output xml': 'must be one of table, json, ndjson, csv, not xml',
    '--amount 1.00 --output': 'expects one of these values: table, json',
    '--amount 10.00 --curency USD': 'Did you mean --price-currency?',
    '--terminalsn X': 'Did you mean --terminal?',
    '--amount 1.00 --card visa-declined': 'Did you mean tillbox terminal set --card?',
    '--decline': 'Did you mean --outcome?',
    '--tax 1.00': 'Set it with --set taxAmount=1.00.',
    '--xyzzyxyzzy': 'do See tillbox sale --help',
    "--amount 1.00 --base-url ''": '✗ --base-url is empty',
    // pnpm passes a -- on
    '--amount 1.00 -- --outcome no-such --base-url x': '✗ --base-url x ',
  },
  'sandbox clock': {
    '--set tomorrow':
      '--set tomorrow must be a date-time in ISO 8601 with its offset, such as 2026-01-31T12:00:00Z',
    '--advance -5m': '--advance',
    '--freeze --advance 5m': '--freeze',
  },
  'sandbox fault': {
    'lost-anser': 'lost-anser is not a fault',
    '--times 2': '--times needs a fault',
    'empty --times 2 --always': '--always',
    'empty --share 20%': '--share 20% is not a share',
    'empty --until noon': 'Cannot read the time --until noon',
    'empty --amount 7': 'Write 7.00',
    'empty --operation sell': 'sell',
  },
  'sandbox key allow-ip': {
    somewhere: 'somewhere is not an IP address',
    'add 10.0.0.1': '--remove takes them away',
    '--remove 10.0.0.1': '10.0.0.1 is not on the allow-list',
    '--clear 10.0.0.1': 'exclude each other',
  },
  [start]: {
    '--port 70000': '65535',
    '--pace fast': '--pace fast: it must be instant',
    '--import no.json': '--import no.json: it does not exist',
    '--prot 0': 'Did you mean --port?',
    '--host [::1]': `✗ --host [::1]: ${notAlone}`,
    "--store ''": '✗ --store is empty',
    '--watch': '--watch follows the files of --fixtures, and none are given',
    '--api-key @none.txt': '--api-key @none.txt cannot be read: it does not exist',
    '--ephemeral': '--ephemeral',
    '--detach --set withParent=true': 'Keep one of them',
    '--set duplicates=maybe': 'reject or replay',
    '--set captureTip': 'it is not <option>=<value>',
    '--set capturetip=30': 'Did you mean captureTip?',
    '--set port=1': 'there is no option port',
    '--set autoClose=24:00': 'autoClose must be a time of day',
    '--set webhookConcurrency=3': 'Add --set webhookOrder=concurrent',
    '--retries soon': "--retries soon: it must be 'none', 'fast'",
    '--notify-url localhost:3000': '--notify-url localhost:3000: it must be a URL',
    '--forward-to http://192.0.2.2:8614/f': 'Allow the host with --allow-webhook-host',
    '--notify-url http://192.0.2.2/a': '192.0.2.2/a cannot be called: 192.0.2.2 is not on this machine',
    '--notify-url http://[2001:db8::1]/a': '2001:db8::1 is not on this machine',
    '--notify-url http://2852039166/': '169.254.169.254 is link-local or a metadata address',
    '--allow-webhook-host 169.254.169.254': 'which is never called',
    '--allow-webhook-host http://foo/': '--allow-webhook-host: http://foo/ is not a host',
    '--allow-webhook-host *.example.com': address,
  },
  sandbox: {
    'start --background': 'Did you mean --detach?',
    'status --base-url nonsense': '--base-url',
    'fault http-503 --operation capture': 'Did you mean post-auth?',
    "status --state ''": '✗ --state is empty',
    'stop --timeout 40d': '--timeout 40d is too long',
    'wait --timeout 10m --space A.B': 'cannot be the name of a space',
    "export ''": 'is empty',
    qwertz: 'See tillbox sandbox --help',
  },
  terminal: {
    'queue TBX-ATTENDED-001 aprove': 'Did you mean approve?',
    'queue TBX-ATTENDED-001': '<serial> or <outcome> is missing',
    'queue TBX-ATTENDED-001 decline --code 999': 'The codes are 000, 005',
    'queue TBX-ATTENDED-001 approve --code 051': 'exclude each other',
    'queue TBX-ATTENDED-001 approve --clear': 'exclude each other',
    'queue TBX-ATTENDED-001 approve --times 0': '1',
    'set TBX-AUTO-001 --contactless-limit=100': '0.00',
    'set TBX-AUTO-001 --pace 1 --clear pace': 'exclude each other',
    'set TBX-AUTO-001 --pace slow': '--pace slow is',
    'set TBX-AUTO-001 --clear mode': '--clear',
    'set TBX-AUTO-001 --card amexchip': 'Did you mean amex-chip?',
    'add DESK-9 --unpaired --merchant M1000000001': '--unpaired',
    'present TBX-ATTENDED-001': '--card is missing',
    'tip TBX-ATTENDED-001': '--none',
    'tip TBX-ATTENDED-001 --amount 1': 'Write 1.00',
    sign: '✗ <serial> is missing',
    show: 'TILLBOX_TERMINAL_SN',
    receipt: '✗ <terminal-or-transaction> is missing',
    open: '✗ <serial> is missing',
  },
  test: {
    'a.yaml --workers 1:2': '✗ --workers 1:2 is not a whole number',
    '': '<file> is missing',
    'none.yaml': 'none.yaml: it does not exist',
    'wrong.yaml': 'wrong.yaml:1:9: steps[0]: unknown action sal; did you mean sale?',
    empty: 'empty has no scenario',
    'good.yaml --grep (': '--grep ( is not a regular expression',
    'good.yaml --grep refund': 'No scenario has a name that matches refund',
    'good.yaml --report-file good.yaml/x.xml':
      '--report-file good.yaml/x.xml cannot be written: it is a file, not a folder',
    'good.yaml --reporter dots': '--reporter',
    'good.yaml --space ci-1': 'is for a service that is named',
  },
  'tip-adjust': {
    '1795159696581000': '✗ --tip-amount is missing',
    'x --amount 1.00': 'Did you mean --tip-amount?',
  },
  'token create': {
    lee: '--scope',
    'lee --scope owner': 'admin, spaces, space, viewer',
    'lee --scope admin --ttl soon': '--ttl soon is not a duration',
    'lee --scope admin --ttl 9000d': '--ttl 9000d must be at most 3660d',
    'lee --scope space': 'must name the space',
    'a/b --scope admin': '1 to 48 letters',
    'start --scope admin': 'must be none of start',
  },
  trigger: {
    'refnd-partial': 'Did you mean refund-partial?',
    sale: 'Did you mean sale-approved, sale-declined or sale-with-tip?',
    '': 'tillbox trigger --list',
  },
  'webhook order': {
    concurent: 'concurrent',
    '--concurrency 3': 'webhook order concurrent --concurrency 3',
    'strict --concurrency 3': 'only for the concurrent order',
    'concurrent --concurrency 51': '50',
  },
  'webhook resend': {
    '': 'No webhook is named',
    'x --failed': 'ids and filters exclude each other',
    'x --to localhost': 'http://',
    '--faild': 'Did you mean --failed?',
    '--all --since foo': 'Cannot read the time --since foo',
    '--since 2026-11-20T12:00:00Z --until 2026-11-20T13:00:00+01:00':
      '--until 2026-11-20T13:00:00+01:00 is not later than --since 2026-11-20T12:00:00Z',
    '--all --to http://169.254.169.254/x': '--to cannot be called: 169.254.169.254 is link-local',
    'one two --body {}': '--body is for one webhook',
    'one --body {} --wait-webhooks': '--wait-webhooks',
  },
  'webhook send @last': {
    '--set novalue': 'name=value',
    '--set transactionStatu=F':
      'Did you mean transactionStatus? Use --add transactionStatu=F to send it all the same',
    '--type terminal --set orderAmount=1': 'a terminal notification has no field orderAmount',
    '--add transactionStatus=F': 'Use --set transactionStatus=F',
    '--set refId=9007199254740993': '--set refId is 9007199254740993, which is read',
  },
  webhook: {
    'replay gone.ndjson --to http://127.0.0.1:9/': 'gone.ndjson does not exist',
    'send 1 --set test=false': '--set test=false: a notification that is edited has test: true',
    'send 1 --add test=false': '--add test=false: a notification that is edited has test: true',
    'replay empty --to http://127.0.0.1:9/': 'it is a folder',
    'replay good.yaml': '--to is missing',
    'list --since yesterday': 'Cannot read the time --since yesterday',
    'list --since 2026-11-20T12:00:00Z --until 2026-11-20T12:00:00Z': 'is not later than --since',
    'list -- --limit x': '✗ --limit x ',
    'receive --delay long': '90s',
    'receive --status 99': '200',
    'secret --grace 1h': '--rotate',
    'secret --grace 1h --json': '--grace goes with --rotate',
    "secret --rotate --merchant ''": '✗ --merchant is empty',
    "sign --body {} --secret ''": '--secret is empty',
    'verify --body @gone.json --header a:b': 'Cannot read gone.json: it does not exist',
    'verify --body {} --header nothing': 'name:value',
    'wait --count 2 --delivered': 'exclude each other',
    'wait --event paymnt': 'Did you mean payment?',
    'wait --status approved,aproved': 'Did you mean approved?',
    'wait --timeout soon': 'is not a duration',
    'wait --timeout 2h': 'Wait 10m at most',
  },
  ...{
    "whoami --dotenv ''": { '': '✗ --dotenv is empty' },
    'logs tail': { '--operation lend': 'lend' },
    'scenario record --since ever': { '': '--since' },
  },
}

/** The words of a line; a quoted one may be empty, or have spaces. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

test.each(Object.entries(refused))('%s refuses with 2, and changes nothing', async (beginning, ends) => {
  const { cwd, json, run } = await startSandboxCommand()
  await json('checkout sale --amount 10.00')
  writeFileSync(join(cwd, 'good.yaml'), 'steps: [batch query: ]\n')
  writeFileSync(join(cwd, 'wrong.yaml'), 'steps: [{ sal: }]\n')
  mkdirSync(join(cwd, 'empty'))
  const state = async () => {
    const { stored, faults, clock, terminals } = await json('sandbox status')
    const files = Object.keys(folderContents(cwd)).filter((path) => !path.includes('audit'))
    return {
      stored: { ...stored, memoryBytes: 0 },
      faults,
      frozen: clock.frozen,
      offset: clock.offsetMs,
      terminals,
      files,
    }
  }
  const before = await state()
  const wrong: unknown[] = []
  for (const [end, message] of Object.entries(ends)) {
    const words = wordsOf(`${beginning} ${end}`)
    const asJson = !words.includes('--') && words[0] !== 'exec'
    const { code, stdout, stderr } = await run(asJson ? [...words, '--json'] : words)
    const exitCode = asJson ? JSON.parse(stdout).error.exitCode : code
    const isSaid = inOneLine(stderr).includes(message) && !/bug in tillbox|^ +at /m.test(stderr)
    if (code !== 2 || exitCode !== 2 || !isSaid) wrong.push([words, message, code, stderr])
  }
  expect(wrong).toEqual([])
  expect(await state()).toEqual(before)
})
