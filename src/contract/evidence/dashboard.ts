import { assumption } from './claim.ts'

/** The pages. */
export const dashboard = {
  'live-streams': assumption(
    'Pages and terminal windows get the current state immediately and what changes, dashboards at most ' +
      'once a second; states between two updates are left out. A heartbeat comes every 15 s. A reader that ' +
      'accepts nothing for 30 s is dropped. Windows of a view share one rendering, and all streams [take ' +
      'turns](#event-stream).',
    'A slow reader, and fifty open windows, must not slow payments down.',
  ),
  'page-requests': assumption(
    'What a person starts [on a page](dashboard.md#act-on-payments) or at an [idle ' +
      'terminal](terminals.md#attend-a-terminal) is a request of the payment API of `tillbox-dashboard`, ' +
      'without key, allow-list and injected fault. A terminal takes no amount while it is busy or offline. ' +
      'It offers the currencies of the merchant; where that takes all, USD, EUR, JPY and KWD; the one of ' +
      'its last payment comes first. Attempts of the [editor of a webhook](dashboard.md#send-a-webhook-again) ' +
      'are in memory alone.',
    'A person at the sandbox is not a client under test, and wants the result immediately.',
  ),
  'dashboard-list': assumption(
    'The dashboard lists 25 rows a page, also of closed batches and requests, by a cursor that stays ' +
      'valid when more arrive. Each word of a search must match. Sums and chart are counted when a page ' +
      'asks, once a change. The home page names the first commands while nothing is stored. ' +
      '[Details](#dashboard-list).',
    'One field searches everything, within 150 ms with 100,000 stored.',
    '`tillbox list`',
  ),
  'list-filters': assumption(
    "Filters apply together, with the list's words for a status or those of the wire; the dashboard takes " +
      "the words of its menus. An amount is compared in the transaction's own currency: minor units without " +
      'a decimal point, major units with one; `tillbox list` takes only amounts with a point. The dashboard ' +
      'also has refunded, voided and captured, by follow-ups; approved includes those. A terminal that ' +
      'never existed is refused; a removed one is not.',
    'One rule for command and script. A typo must not look like an empty list.',
  ),
}
