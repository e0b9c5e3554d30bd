import { assumption } from './claim.ts'

/** Terminals, cards, and what decides an outcome. */
export const terminals = {
  'outcome-order': assumption(
    '[The first that applies](terminals.md#outcomes) decides; online, terminals decide nothing. Amounts ' +
      'decide payments only, no refunds and no voids; a fault `outcome=<name>` decides those, too.',
    'Every outcome can be reached without a change of the code under test. A partial refund of 98.23 must ' +
      'not fail by chance.',
    '`X-Sandbox-Outcome`, `tillbox terminal queue`, `--fixtures`',
    { errors: ['SBX_OUTCOME'], unchanged: ['SBX_OUTCOME'], headers: ['X-Sandbox-Outcome'] },
  ),
  fixtures: assumption(
    "There is one terminal for each behaviour, without delays. Cards have the networks' published test " +
      'numbers (that of EBT is our own); the first one that fits is presented. `--fixtures` is [merged over ' +
      'them](fixtures.md#how-files-are-put-together) and read at each start; terminals and merchants that a ' +
      'state folder has [stay](fixtures.md#with-a-state-folder).',
    'Tests want no waiting, and no real card. A suite changes one thing and keeps the rest.',
    '`--fixtures`, with `extends: false` in the file; `--pace` for the delays',
    { errors: ['SBX_NO_CURRENCY'] },
  ),
  'terminal-queue': assumption(
    'A payment for an offline or busy terminal [waits in line](terminals.md#terminals) until it expires. ' +
      'There are no offline approvals. Where the terminal is busy, a note says behind which transaction, ' +
      'and until when at the latest.',
    'The request went to the service, not to the terminal. A counter has one queue.',
    '`tillbox terminal online`, `timeExpire`; `busy: reject`',
    { errors: ['SBX_TERM_BUSY', 'SBX_TERM_OFFLINE'] },
  ),
  'terminal-identity': assumption(
    'A new name of a terminal survives restarts and resets; its serial number never changes. A removed ' +
      'terminal stays removed, even if the fixtures have it. A payment that names it is refused, and so is ' +
      'a follow-up that does, unless pushToTerminal is false. One that names no terminal runs in the cloud ' +
      "where its original's terminal was removed or unpaired, with a note. When it is added again, its " +
      'batch and voucher numbers go on. A terminal [in use](terminals.md#terminals) is not removed.',
    'Records and batches go by the serial number. Nothing accepted may be lost, and no number may come ' +
      'twice.',
    '`tillbox terminal set --label`; `tillbox terminal add` brings it back',
    {
      errors: ['SBX_TERM_EXISTS', 'SBX_TERM_IN_USE', 'SBX_UNREGISTERED'],
      unchanged: ['SBX_TERM_EXISTS', 'SBX_TERM_IN_USE'],
    },
  ),
  pairing: assumption(
    'The code of an [unpaired](terminals.md#pair-a-terminal) terminal has 6 letters and digits without ' +
      'look-alikes (0 O, 1 I L, 2 Z, 5 S, 8 B), and works for any merchant.',
    'The service pairs terminals outside its API. No test may fail because a person was slow.',
    '`tillbox terminal unpair` makes a new code',
    { errors: ['SBX_OTHER_OWNER'] },
  ),
  'attended-terminal': assumption(
    '[A person or a script acts](terminals.md#attend-a-terminal) on each screen, and may choose what the ' +
      'host answers. Cancel closes the payment until the host is asked; on the signature screen it skips ' +
      'the signature. [Details](#attended-terminal).',
    'Every path of a counter can be walked.',
    '`tillbox terminal set`, `contactlessLimit`',
    { errors: ['SBX_TERM_SCREEN', 'SBX_TERM_AUTO'], unchanged: ['SBX_TERM_SCREEN'] },
  ),
  'terminal-screens': assumption(
    'A sale or post auth with tipConfig and without tipAmount shows the tip screen; both together are ' +
      'refused. An automatic terminal chooses no tip, with a note; TBX-TIP20-001 chooses 20 %, rounded half ' +
      'up (a percentage counts in steps of 0.0001). An attended one offers the suggestions of the request, ' +
      'else 15, 18 and 20 %. The signature screen is shown when the card asks for it, the older ' +
      'signatureEntryLocation, or signatureConfig (`useHostConfig: false`, `ON_SCREEN`, from its threshold ' +
      'on); the locations ON_RECEIPT and NONE show none. The host has approved by then: neither an abort ' +
      'nor the expiry closes the payment. It is SUCCESS, and notified, when the signature is given or ' +
      'skipped: by cancel, or after 60 s of the sandbox clock. authenticationMethod is SIGNATURE only if ' +
      'somebody signed, else NOT_AUTHENTICATED with a card that asks for a signature.',
    "The SDKs know tipConfig in four shapes. The platform's settings are not shown. A query must not " +
      'differ from the notification before it.',
    '`tipPercent` of a terminal',
  ),
  cards: assumption(
    "A follow-up shows no card screen: it uses its original's card, read as it was there. It belongs to " +
      "its original's terminal unless it names another, in record, batch and screen. A request is declined " +
      'with the outcome no-card-fits (040) and a note if no test card fits its payment method, network type ' +
      'or network, or if the card set on an automatic terminal does not. A sub-method is recorded as it was ' +
      'sent.',
    'The original names the card. A payment by another method than requested would pass every test.',
    'a card of `--fixtures`',
  ),
}
