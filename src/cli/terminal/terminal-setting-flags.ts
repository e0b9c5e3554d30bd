import type { Interfaces } from '@oclif/core'
import { integer, string } from '@oclif/core/flags'
import { parseMinorUnits } from '../../text/minor-units.ts'
import { UsageError } from '../errors/usage-error.ts'
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
      'Largest contactless amount, in any currency: minor units (10000), or with two decimals (100.00).',
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
  contactlessLimit: limitOf(flags['contactless-limit']),
  card: flags.card,
  outcome: flags.outcome,
})

/** A limit in minor units. It holds for every currency; written as major units it has the two decimals of most. */
function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = parseMinorUnits(text, 2)
  if (typeof limit === 'number') return limit
  const message = `--contactless-limit ${text} is not an amount`
  throw new UsageError(message, 'Use minor units (10000), or two decimals (100.00)', 'contactless-limit')
}
