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
      title: 'The customer clicks again, or the browser sends a request again',
      advice: 'Tell a repeat from a second order, for instance by a key in the form.',
      moves: [
        { at: 'request', instead: { together: 3 } },
        { at: 'changing', before: [slow], instead: { together: 3 } },
        { at: 'look-up', before: [slow], instead: { together: 3 } },
      ],
    },
    'return-lost': {
      title: 'The customer pays, and does not come back from the page',
      advice: 'Learn the result from the notification, or ask for it.',
      moves: [
        { at: 'visit', instead: [] },
        { at: 'visit', previous: { before: [nextWebhook('drop')] }, instead: [] },
      ],
    },
    'pays-the-old-page': {
      title: 'The customer does not leave a page, opens another one, and pays the old one',
      advice: 'Close the old page before you open another one, or pay back what comes twice.',
      moves: [
        { at: 'left-page', instead: [pay] },
        { at: 'left-page', instead: [], later: { instead: [pay] } },
        { at: 'left-page', instead: [], later: { after: [pay] } },
      ],
    },
  },
} as const satisfies SituationGroup
