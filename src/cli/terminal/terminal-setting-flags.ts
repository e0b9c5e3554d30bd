import type { Interfaces } from '@oclif/core'
import { integer, string } from '@oclif/core/flags'
import { parseAmount } from '../input/amount.ts'
import { paceOf } from '../input/parse-time.ts'

/** The settings of a terminal as flags. */
export const settingFlags = {
  label: string({ description: 'Name that people read beside the serial number.', helpValue: '<name>' }),
  mode: string({
    description: 'auto acts by itself; attended waits for a person.',
    options: ['auto', 'attended'],
  }),
  busy: string({
    description: 'Payment for a busy terminal: queue lets it wait in line; reject refuses it.',
    options: ['queue', 'reject'],
  }),
  pace: string({
    description: 'How long each screen is shown: instant, milliseconds (800), or 2s.',
    helpValue: '<duration>',
  }),
  'tip-percent': integer({
    description: 'Ask for a tip; an automatic terminal chooses this percentage.',
    min: 0,
    max: 100,
    helpValue: '<percent>',
  }),
  'contactless-limit': string({
    description:
      'Largest contactless amount, such as 100.00. It is for every currency: as many minor units as in USD.',
    helpValue: '<amount>',
  }),
  card: string({ description: 'Card that an automatic terminal reads.', helpValue: '<name>' }),
  outcome: string({ description: 'Outcome of every payment.', helpValue: '<name>' }),
}

/** The settings as fields of a request; absent ones are undefined. Errors: UsageError. */
export const settingsOf = ({
  mode,
  busy,
  pace,
  ...flags
}: Interfaces.InferredFlags<typeof settingFlags>) => ({
  label: flags.label,
  mode,
  busy,
  pace: pace === undefined ? undefined : paceOf(pace),
  tipPercent: flags['tip-percent'],
  contactlessLimit:
    flags['contactless-limit'] === undefined
      ? undefined
      : parseAmount(flags['contactless-limit'], 'USD', 'contactless-limit'),
  card: flags.card,
  outcome: flags.outcome,
})
