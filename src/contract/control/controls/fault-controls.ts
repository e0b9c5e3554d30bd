import * as v from 'valibot'
import { flag, isoTime, minorUnits, name, oneOf, optional, ruledText, whole } from '../../member-kinds.ts'
import { operationMeant, operationNames } from '../../operations.ts'
import { type Control, controlLimits, get, post, remove } from '../control.ts'
import { faultList, faultView } from '../fault-list.ts'
import { endlessClause, isFault, readFault } from '../faults.ts'

/** A share, from 0 to 1. */
const share = (help: string) =>
  v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(1, 'must be at most 1'),
    v.description(help),
  )

/** Seed of the random choices. */
const seed = optional(whole('The same seed repeats the same choices', 0, 2 ** 31))

/** Faults that are injected into answers of the payment API and into webhooks. */
export const faultControls = {
  faults: get('/faults', {
    summary: 'List the injected faults of answers and webhooks',
    command: 'sandbox fault',
    answer: faultList,
  }),
  'add-fault': post('/faults', {
    summary: 'Inject a fault into answers or webhooks',
    command: 'sandbox fault',
    steps: {
      fault: { summary: 'Inject a fault into answers or webhooks; `none` removes all', short: 'kind' },
    },
    answer: faultView,
    input: {
      kind: ruledText(
        'The fault, such as lost-answer, http-503 or latency=100-500',
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return
          const fault = readFault(dataset.value)
          if (!isFault(fault)) addIssue({ message: `${fault.wrong}: ${fault.remedy}` })
        }),
      ),
      operation: optional(oneOf('Only requests of this operation', operationNames, operationMeant)),
      terminalSn: optional(name('Only requests for this terminal')),
      merchantId: optional(name('Only requests for this merchant')),
      amount: optional(minorUnits('Only requests of this amount')),
      times: optional(whole('How often at most', 1, controlLimits.faultTimes)),
      always: optional(
        flag(
          `Applies until cleared; without this, times, share and until a fault hits once; ${endlessClause}`,
        ),
      ),
      share: optional(share('Share of the requests that is hit')),
      seed,
      from: optional(isoTime('From this time of the sandbox clock on')),
      until: optional(isoTime('Until this time of the sandbox clock')),
    },
  }),
  'clear-faults': remove('/faults', { summary: 'Remove all faults', answer: faultList }),
  'remove-fault': remove('/faults/:id', { summary: 'Remove a fault', answer: faultList }),
} as const satisfies Record<string, Control>
