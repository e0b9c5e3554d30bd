import type { ErrorCode, Refusal } from '../../contract/errors.ts'
import { Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { documentOf, Layout } from '../components/layout.tsx'

/** Pages of things that there are not, by what was refused: title and heading. */
const nothingHere: Readonly<Partial<Record<ErrorCode, readonly [string, string]>>> = {
  SBX_SESSION_NONE: ['No payment here', 'There is no payment here'],
}

/** What exactly is wrong, and what mends it: for who wrote the request, as no shopper did. */
const exactly = ({ field, detail, remedy }: Shown): string =>
  `${field === undefined ? '' : `${field}: `}${detail}. ${remedy}.`

type Shown = Pick<Refusal, 'code' | 'message'> & Partial<Refusal>

/** The page of a request that was refused or failed; nothing came of it. */
export function renderRefusal(refusal: Shown): string {
  const { code, message } = refusal
  const [title, heading] = nothingHere[code] ?? ['That did not work', 'That did not work']
  return documentOf(
    <Layout title={title}>
      <main class="stage">
        <Slip>
          <div class="seal seal-info">
            <Icon name="info" />
          </div>
          <h1 class="result-heading">{heading}</h1>
          <p class="result-text">{code in nothingHere ? message : `${message}. Nothing was changed.`}</p>
          {code === 'SBX_BAD_HTTP' && <p class="result-text">{exactly(refusal)}</p>}
        </Slip>
      </main>
    </Layout>,
  )
}
