import { assumption } from './claim.ts'

/** The pages. */
export const dashboard = {
  'live-streams': assumption(
    'Pages and terminal windows get the current state at once, and then each change; dashboards at most ' +
      'once a second. States between two updates are skipped. A heartbeat comes every 15 s. A reader that ' +
      'accepts nothing for 30 s is disconnected. Windows of the same view share one rendering, and all ' +
      'streams [take turns](#event-stream).',
    'A slow reader, or fifty open windows, must not slow payments down.',
  ),
  'page-requests': assumption(
    'An action [on a page](dashboard.md#act-on-payments) or at an [idle ' +
      'terminal](terminals.md#attend-a-terminal) is a request of the payment API by `tillbox-dashboard`, ' +
      'without key, allow-list and injected faults. A terminal takes no amount while it is busy or ' +
      "offline. It offers the merchant's currencies, that of the last payment first; if the merchant takes " +
      'all, it offers USD, EUR, JPY and KWD.',
    'A person at the sandbox is not a client under test, and wants the result immediately.',
  ),
  'dashboard-list': assumption(
    'The dashboard shows 25 rows per page, also of closed batches and requests. Links to further pages ' +
      'stay valid when rows are added. Each word of a search must match. Sums and chart are counted when a ' +
      'page asks, once per change. The home page shows the first commands while nothing is stored. ' +
      '[Details](#dashboard-list).',
    'One field searches everything, within 150 ms with 100,000 transactions.',
    '`tillbox list`',
  ),
  'list-filters': assumption(
    "All filters of a list apply together. A status is given in the list's words or as on the wire; the " +
      "dashboard takes the words of its menus. An amount is compared in the transaction's currency. With a " +
      'decimal point it is in major units, without one in minor units; `tillbox list` requires the point. ' +
      'The dashboard can also filter refunded, voided and captured payments; "approved" includes them. An ' +
      'unknown terminal is refused, a removed one is not.',
    'Commands and scripts follow one rule. A typo must not look like an empty list.',
  ),
}
