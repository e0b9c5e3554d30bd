import { errorTable, type Refusal } from '../../../api/errors.ts'
import { Notice } from '../components.tsx'

/** What was tried and refused, in words for whoever stands at the counter. */
export const Problem = ({ refusal }: { readonly refusal: Refusal | undefined }) =>
  refusal === undefined ? null : (
    <Notice tone="error" title={titleOf(refusal)}>
      <p>{textOf(refusal)}</p>
    </Notice>
  )

const isStale = ({ code, field }: Refusal): boolean => code === 'SBX_TERM_SCREEN' && field === 'transactionId'

function titleOf(refusal: Refusal): string {
  if (isStale(refusal)) return 'This window was behind'
  return refusal.code === 'SBX_TERM_SCREEN' ? 'Not on this screen' : 'That did not work'
}

function textOf(refusal: Refusal): string {
  if (isStale(refusal))
    return 'The terminal has moved on to something else. Nothing was changed; it is shown as it is now.'
  const detail = refusal.code === 'C17' ? refusal.message : (refusal.detail ?? refusal.message)
  if (refusal.code === 'SBX_TERM_SCREEN') return `${detail}. Nothing was changed.`
  return refusal.code === 'C17'
    ? `${detail}. Nothing was changed.`
    : `${refusal.message}. ${remedyOf(refusal)}.`
}

const remedyOf = ({ code }: Refusal): string => errorTable[code].remedy
