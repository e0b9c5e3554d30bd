import type { OriginalReference } from '../contract/operations/request-members.ts'
import type { OperationName } from '../contract/operations.ts'
import { hasReference } from '../domain/rules/originals.ts'

/** Members that a request may have but that have no effect in some cases. assumption: field-reading */
interface IgnoredMembers {
  /** Paths of members. */
  readonly members: readonly string[]
  readonly when: (input: object) => boolean
  /** Why, as the end of a sentence. */
  readonly why: string
}

const inCloud: IgnoredMembers = {
  members: ['printReceipt', 'terminalEventNotifyUrl', 'tipConfig', 'amount.tipConfig'],
  when: (input) => 'pushToTerminal' in input && input.pushToTerminal === false,
  why: 'where pushToTerminal is false',
}

const withReference: IgnoredMembers = {
  members: ['paymentMethod', 'cardNetworkType', 'timeExpire', 'signatureConfig', 'signatureEntryLocation'],
  when: (input) => hasReference(input as OriginalReference),
  why: 'for a refund with reference',
}

const keptNowhere = (members: readonly string[], why: string): IgnoredMembers => ({
  members,
  when: () => true,
  why,
})

const online = keptNowhere(['terminalEventNotifyUrl'], 'for an online payment')
const batch = keptNowhere(
  ['attach', 'notifyUrl', 'terminalEventNotifyUrl'],
  'for a batch close: it opens no transaction and sends no notification',
)
const amending = keptNowhere(['attach'], 'here: the original keeps its own')

const ignored: { readonly [N in OperationName]?: readonly IgnoredMembers[] } = {
  'incremental-auth': [inCloud],
  'post-auth': [inCloud],
  refund: [withReference, inCloud],
  void: [inCloud],
  'create-session': [online],
  'batch-close': [batch],
  'tip-adjust': [amending],
  abort: [amending],
}

/** Notes on members without effect. `NONE` is not noted: one SDK always sends it, and it asks for nothing. */
export function notesOnIgnored(name: OperationName, input: object): readonly string[] {
  const some = ignored[name]
  if (some === undefined) return []
  return some
    .filter(({ when }) => when(input))
    .flatMap(({ members, why }) =>
      members.filter((path) => asksFor(valueAt(input, path))).map((path) => `${path}: is ignored ${why}`),
    )
}

const asksFor = (value: unknown): boolean => value != null && value !== 'NONE'

const valueAt = (input: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], input)
