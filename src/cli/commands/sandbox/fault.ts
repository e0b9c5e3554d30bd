import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, option, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { controlLimits } from '../../../contract/control/control.ts'
import { endlessClause, faultGroups, isFault, readFault } from '../../../contract/control/faults.ts'
import { operationNames } from '../../../contract/operations.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import { momentOrAhead, parseAmount, shareFrom } from '../../input/typed-values.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

const kindHelp = [
  'Faults:',
  ...faultGroups.flatMap(({ title, kinds }) => [
    `  ${title}:`,
    ...kinds.map(([, { syntax, summary }]) => `    ${syntax}: ${summary}`),
  ]),
].join('\n')

/** Flags that say which requests are hit, and how often. */
const orderFlags = {
  operation: option({
    description: 'Only requests of this operation.',
    options: operationNames,
    helpValue: '<name>',
  })(),
  terminal: string({ description: 'Only requests for this terminal.' }),
  merchant: string({ description: 'Only requests for this merchant.' }),
  amount: string({
    description:
      'Only requests of this amount, such as 10.00, in any currency: as many minor units as in USD.',
  }),
  times: integer({
    description: 'Maximum number of hits.',
    min: 1,
    max: controlLimits.faultTimes,
    exclusive: ['always'],
  }),
  always: boolean({
    description: `Apply until cleared. Without this, --times, --share or --until a fault hits once; ${endlessClause}.`,
  }),
  share: string({ description: 'Share of the matching requests to hit, 0 to 1.' }),
  seed: integer({ description: 'Seed of the random choices; the same seed repeats them.', min: 0 }),
  from: string({ description: 'Start on the sandbox clock: ISO 8601, or how far ahead: 10m, or seconds.' }),
  until: string({ description: 'End on the sandbox clock, written like --from.' }),
}

export default class SandboxFault extends SandboxCommand {
  static override summary = 'Inject faults into answers and webhooks.'
  static override description =
    `Without --times, --share or --until a fault hits once; ${endlessClause}. When several faults match a request, ` +
    'the oldest is used. A request can name its own in the header X-Sandbox-Fault. Faults survive a restart and a reset. ' +
    'logs tail and webhook list name them. latency and delay take milliseconds, or a duration with its unit: latency=2s. ' +
    `http-<status> takes whole seconds.\n\n${kindHelp}`
  static override examples = [
    'tillbox sandbox fault lost-answer --operation sale',
    'tillbox sandbox fault http-503=2 --share 0.2 --seed 7',
    'tillbox sandbox fault latency=500-3000 --terminal TBX-AUTO-001 --until 10m',
    'tillbox sandbox fault outcome=do-not-honor --operation refund',
    'tillbox sandbox fault --clear',
  ]
  static override memberFlags = { kind: 'fault', merchantId: 'merchant', id: 'clear' }
  static override args = {
    fault: stringArg({
      description:
        'Fault to inject; with --clear the id of the fault to remove. Left out, the faults are listed.',
    }),
  }
  static override flags = {
    ...orderFlags,
    clear: boolean({ description: 'Remove the fault with this id, or all.' }),
  }

  /** A fault that is injected is answered as each of the list is. */
  protected override listIn(): string {
    return 'faults'
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SandboxFault)
    const { fault } = args
    const names = Object.keys(orderFlags) as (keyof typeof orderFlags)[]
    const typedFlags = names.filter((name) => flags[name] !== undefined && flags[name] !== false)
    if (fault === undefined || flags.clear) {
      refuseOthers(typedFlags)
      const named = flags.clear && fault !== undefined
      const name = named ? 'remove-fault' : flags.clear ? 'clear-faults' : 'faults'
      const before =
        flags.clear && !flags.json ? await control(await this.find(flags, name), 'faults') : undefined
      await this.ask(flags, name, named ? { names: { id: fault } } : {}, async (list) => {
        const { renderCleared, renderFaults } = await import('../../sandbox/render-faults.ts')
        return (before === undefined ? '' : renderCleared(before, list)) + renderFaults(list)
      })
      return
    }
    const read = readFault(fault)
    if (!isFault(read)) throw new UsageError(`${fault} ${read.wrong}`, capitalize(read.remedy), 'fault')
    const { operation, terminal: terminalSn, merchant, times, share, seed, from, until } = flags
    const amount = flags.amount === undefined ? undefined : parseAmount(flags.amount, 'USD', 'amount')
    const now = async () => (await control(await this.find(flags, 'add-fault'), 'clock')).now
    const members = {
      kind: fault,
      operation,
      terminalSn,
      merchantId: merchant,
      amount,
      times,
      seed,
      always: flags.always || undefined,
      share: share === undefined ? undefined : shareFrom(share, 'share'),
      from: from === undefined ? undefined : await momentOrAhead(from, 'from', now),
      until: until === undefined ? undefined : await momentOrAhead(until, 'until', now),
    }
    await this.ask(flags, 'add-fault', { members }, async (added) =>
      (await import('../../sandbox/render-faults.ts')).renderAdded(added),
    )
  }
}

function refuseOthers([first]: readonly string[]): void {
  if (first !== undefined)
    throw new UsageError([`--${first}`, 'needs a fault'], 'Name one: `tillbox sandbox fault lost-answer`')
}
