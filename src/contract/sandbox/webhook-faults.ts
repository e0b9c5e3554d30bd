import * as v from 'valibot'
import { amount, described, named } from '../answer-kinds.ts'
import { forEachShare } from './fault-shares.ts'

export const webhookFaults = named(
  'WebhookFaults',
  'Faults that are injected into webhooks. The same seed repeats the same faults',
  {
    ...forEachShare(() => amount),
    delayMs: described(
      v.nullable(v.pipe(v.tuple([amount, amount], 'is not a pair of numbers'), v.readonly())),
      'Delay of the first attempt, from and to, in milliseconds of the sandbox clock',
    ),
    reorder: described(
      amount,
      'One of this many waiting notifications is sent next, by chance; 1 keeps the order',
    ),
    seed: amount,
  },
)
export type WebhookFaults = v.InferOutput<typeof webhookFaults>

/** No fault at all. */
export const noFaults: WebhookFaults = {
  ...forEachShare(() => 0),
  delayMs: null,
  reorder: 1,
  seed: 1,
}

/** The given faults; all others are off. */
export const faultsFrom = (
  faults: { readonly [M in keyof WebhookFaults]?: WebhookFaults[M] | null | undefined },
): WebhookFaults => ({
  ...noFaults,
  ...Object.fromEntries(Object.entries(faults).filter(([, value]) => value != null)),
})
