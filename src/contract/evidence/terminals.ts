import { assumption } from './claim.ts'

/** Terminals, cards, and what decides an outcome. */
export const terminals = {
  'outcome-order': assumption(
    '[The first rule that applies](terminals.md#outcomes) decides the outcome. Online, rules of ' +
      'terminals do not apply. Amounts decide only payments, not refunds and voids. A fault ' +
      '`outcome=<name>` decides refunds and voids too.',
    'Every outcome can be reached without a change of the code under test. A partial refund of 98.23 ' +
      'must not fail by chance.',
    '`X-Sandbox-Outcome`, `tillbox terminal queue`, `--fixtures`',
    { errors: ['SBX_OUTCOME'], unchanged: ['SBX_OUTCOME'], headers: ['X-Sandbox-Outcome'] },
  ),
  fixtures: assumption(
    "There is one built-in terminal for each behaviour. Only TBX-SLOW-001 and TBX-LATE-001 have delays. Test cards have the networks' " +
      "published test numbers; only the EBT number is tillbox's. The first card that fits is presented. " +
      '`--fixtures` is [merged over the built-in ones](fixtures.md#how-files-are-put-together) and read at ' +
      'each start. Terminals and merchants in a state folder [stay](fixtures.md#with-a-state-folder).',
    'Tests need no delay and no real card. A test suite changes one setting and keeps the others.',
    '`--fixtures`, with `extends: false` in the file; `--pace` for the delays',
    { errors: ['SBX_NO_CURRENCY'] },
  ),
  'terminal-queue': assumption(
    'A payment for an offline or busy terminal [waits in line](terminals.md#terminals) until it expires. ' +
      'There are no offline approvals. If the terminal is busy, a note names the transaction ahead, and ' +
      'the latest time at which it ends.',
    'The request went to the service, not to the terminal. A counter has one queue.',
    '`tillbox terminal online`, `timeExpire`; `busy: reject`',
    { errors: ['SBX_TERM_BUSY', 'SBX_TERM_OFFLINE'] },
  ),
  'terminal-identity': assumption(
    "A terminal's new name survives restarts and resets. Its serial number never changes. A removed " +
      'terminal stays removed, even if the fixtures contain it. A request that names it is refused, except ' +
      "a follow-up with `pushToTerminal: false`. If the original's terminal was removed or unpaired, a " +
      'follow-up that names no terminal runs in the cloud, with a note. When a terminal is added again, ' +
      'its batch and voucher numbers continue. A terminal [in use](terminals.md#terminals) cannot be ' +
      'removed.',
    'Records and batches refer to the serial number. No accepted payment may be lost, and no number may ' +
      'be used twice.',
    '`tillbox terminal set --label`; `tillbox terminal add` brings it back',
    {
      errors: ['SBX_TERM_EXISTS', 'SBX_TERM_IN_USE', 'SBX_UNREGISTERED'],
      unchanged: ['SBX_TERM_EXISTS', 'SBX_TERM_IN_USE'],
    },
  ),
  pairing: assumption(
    'The code of an [unpaired](terminals.md#pair-a-terminal) terminal has 6 letters and digits without ' +
      'look-alikes (0 O, 1 I L, 2 Z, 5 S, 8 B). It works for any merchant.',
    'The service pairs terminals outside its API. No test may fail because a person was slow.',
    '`tillbox terminal unpair` makes a new code',
    { errors: ['SBX_OTHER_OWNER'] },
  ),
  'attended-terminal': assumption(
    '[A person or a script acts](terminals.md#attend-a-terminal) on each screen, and may choose the ' +
      "host's answer. Until the host is asked, cancel closes the payment. On the signature screen, cancel " +
      'skips the signature. [Details](#attended-terminal).',
    'Tests can follow every path at a counter.',
    '`tillbox terminal set`, `contactlessLimit`',
    { errors: ['SBX_TERM_SCREEN', 'SBX_TERM_AUTO'], unchanged: ['SBX_TERM_SCREEN'] },
  ),
  'terminal-screens': assumption(
    'A sale or post auth with tipConfig and without tipAmount shows the tip screen; both together are ' +
      "refused. The signature screen is shown after the host's approval, if the card, " +
      'signatureEntryLocation or signatureConfig requires it. [Details](#terminal-screens).',
    "The SDKs know tipConfig in four shapes. The platform's settings are not documented. A query must " +
      'not differ from the notification before it.',
    '`tipPercent` of a terminal',
  ),
  cards: assumption(
    "A follow-up shows no card screen: it uses the original's card and entry mode. It belongs to the " +
      "original's terminal, unless it names another. If no test card fits the requested payment method, " +
      'network type or network, the payment is declined with the outcome no-card-fits (040) and a note. ' +
      'The same applies if the card set on an automatic terminal does not fit. A sub-method is recorded as ' +
      'sent.',
    'The original determines the card. A payment by another method than requested would pass every test.',
    'a card in `--fixtures`',
  ),
}
