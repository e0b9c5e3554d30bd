import { mayBeginOrder } from '../../contract/operation-members.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import {
  isAmending,
  isOnline,
  isSettlement,
  type OperationName,
  operations,
} from '../../contract/operations.ts'
import { hasReference } from '../../domain/rules/originals.ts'

/** Members that a request may have but that have no effect in some cases. assumption: field-reading */
interface IgnoredMembers {
  /** Paths of members. */
  readonly members: readonly string[]
  readonly when: (name: OperationName, input: object) => boolean
  /** Why, as the end of a sentence. */
  readonly why: string
}

const ignored: readonly IgnoredMembers[] = [
  {
    members: ['paymentMethod', 'cardNetworkType', 'timeExpire', 'signatureConfig', 'signatureEntryLocation'],
    when: (name, input) => mayBeginOrder(name) && hasReference(input as OriginalReference),
    why: 'for a refund with reference',
  },
  {
    members: ['printReceipt', 'terminalEventNotifyUrl', 'tipConfig', 'amount.tipConfig'],
    when: (_, input) => 'pushToTerminal' in input && input.pushToTerminal === false,
    why: 'where pushToTerminal is false',
  },
  {
    members: ['terminalEventNotifyUrl'],
    when: (name) => isOnline(operations[name]),
    why: 'for an online payment',
  },
  {
    members: ['attach', 'notifyUrl', 'terminalEventNotifyUrl'],
    when: (name) => isSettlement(operations[name]),
    why: 'for a batch close: it opens no transaction and sends no notification',
  },
  { members: ['attach'], when: isAmending, why: 'here: the original keeps its own' },
]

/** Notes on members without effect. `NONE` is not noted: one SDK always sends it, and it asks for nothing. */
export const notesOnIgnored = (name: OperationName, input: object): readonly string[] =>
  ignored
    .filter(({ when }) => when(name, input))
    .flatMap(({ members, why }) =>
      members.filter((path) => asksFor(valueAt(input, path))).map((path) => `${path}: is ignored ${why}`),
    )

const asksFor = (value: unknown): boolean => value != null && value !== 'NONE'

const valueAt = (input: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], input)
