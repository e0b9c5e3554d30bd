import { errorTable, type Refusal } from '../../contract/errors.ts'
import { Notice } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'

/** A refused action and the reason. It covers the device and moves nothing. */
export const RefusalNotice = ({ refusal }: { readonly refusal: Refusal | undefined }) =>
  refusal === undefined ? null : (
    <Notice tone="error" title={titleOf(refusal)}>
      <p>{textOf(refusal)}</p>
      <CloseButton />
    </Notice>
  )

/** Template that the page's script fills for an action that was refused before it reached the terminal. */
export const RefusalNoticeTemplate = () => (
  <template data-refused>
    <Notice tone="error" title="That did not work">
      <p />
      <CloseButton />
    </Notice>
  </template>
)

const CloseButton = () => (
  <button
    class="icon-button refusal-close absolute with-scripts"
    type="button"
    data-close
    aria-label="Close this message"
  >
    <Icon name="cross" />
  </button>
)

const isStale = ({ code, field }: Refusal): boolean => code === 'SBX_TERM_SCREEN' && field === 'transactionId'

function titleOf(refusal: Refusal): string {
  if (isStale(refusal)) return 'This window was out of date'
  return refusal.code === 'SBX_TERM_SCREEN' ? 'Not possible on this screen' : 'That did not work'
}

function textOf(refusal: Refusal): string {
  if (isStale(refusal))
    return 'The terminal has moved on. Nothing was changed. You now see its current screen.'
  if (refusal.code === 'C17') return `${parameterIn(refusal)}. Nothing was changed.`
  if (refusal.code === 'SBX_TERM_SCREEN') return `${refusal.detail ?? refusal.message}. Nothing was changed.`
  return `${refusal.message}. ${remedyOf(refusal)}.`
}

/** A refused parameter, named as the screen names it. */
const parameterIn = ({ field, detail, message }: Refusal): string =>
  field === 'tipAmount' ? `Other amount: ${detail}` : message

const remedyOf = ({ code }: Refusal): string => errorTable[code].remedy
