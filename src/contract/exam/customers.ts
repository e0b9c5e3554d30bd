import { nextWebhook, type SituationGroup } from './situation.ts'

/** A service that is slow for the next three such requests. */
const slow = { action: 'fault', value: { kind: 'latency=300', operation: '$operation', times: 3 } }

const pay = { action: 'checkout pay', value: { session: '$session' } }

/** What customers do that nobody can see in single requests. */
export const customerSituations = {
  title: 'Customers',
  laws: ['ordered-once', 'charged-once', 'refunds-asked', 'shipped-once'],
  situations: {
    'double-click': {
      title: 'The customer clicks twice, or the browser repeats a request',
      advice: 'Recognise the repeat, for example by a unique key in the form.',
      moves: [
        { at: 'request', instead: { together: 3 } },
        { at: 'changing', before: [slow], instead: { together: 3 } },
        { at: 'look-up', before: [slow], instead: { together: 3 } },
      ],
    },
    'return-lost': {
      title: 'The customer pays, and does not return from the hosted page',
      advice: 'Get the result from the notification or from a query.',
      moves: [
        { at: 'visit', instead: [] },
        { at: 'visit', previous: { before: [nextWebhook('drop')] }, instead: [] },
      ],
    },
    'pays-the-old-page': {
      title: 'The customer opens a second payment page, and pays on the first',
      advice: 'Expire the first session before you create the second, or refund the double payment.',
      moves: [
        { at: 'left-page', instead: [pay] },
        { at: 'left-page', instead: [], later: { instead: [pay] } },
        { at: 'left-page', instead: [], later: { after: [pay] } },
      ],
    },
  },
} as const satisfies SituationGroup
