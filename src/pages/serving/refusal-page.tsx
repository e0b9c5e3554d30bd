import type { ErrorCode, Refusal } from '../../contract/errors.ts'
import { Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { documentOf, Layout } from '../components/layout.tsx'

/** Title and heading of the page for something unknown, by its refusal code. */
const nothingHere: Readonly<Partial<Record<ErrorCode, readonly [string, string]>>> = {
  SBX_SESSION_NONE: ['No payment here', 'There is no payment here'],
}

/** The exact fault and its remedy, for the developer who wrote the request. */
const exactly = ({ field, detail, remedy }: ShownRefusal): string =>
  `${field === undefined ? '' : `${field}: `}${detail}. ${remedy}.`

/** Refusals that a person can only fix with the exact reason. */
const explained: ReadonlySet<ErrorCode> = new Set(['SBX_BAD_HTTP', 'SBX_SCOPE'])

type ShownRefusal = Pick<Refusal, 'code' | 'message'> & Partial<Refusal>

/** The page of a request that was refused or failed, without effect. */
export function renderRefusal(refusal: ShownRefusal): string {
  const { code, message } = refusal
  const [title, heading] = nothingHere[code] ?? ['That did not work', 'That did not work']
  return messagePage(title, heading, [
    code in nothingHere ? message : `${message}. Nothing was changed.`,
    ...(explained.has(code) ? [exactly(refusal)] : []),
  ])
}

/** Says that the pages of this sandbox need a token, or that the token is not valid. */
export const renderTokenWanted = (isRequired: boolean): string =>
  isRequired
    ? messagePage('Token required', 'This sandbox requires a token', [
        'Add ?token=… to the address, with the token that the sandbox was started with, or one that tillbox token create made. The browser keeps it until you close it.',
      ])
    : messagePage('Token not valid', 'This sandbox does not know your token', [
        'It was revoked, has expired, or belongs to another sandbox. Your browser has forgotten it now: load the page again without it, or add ?token=… with another one.',
      ])

const messagePage = (title: string, heading: string, texts: readonly string[]): string =>
  documentOf(
    <Layout title={title}>
      <main class="result-page on-tint stack amid grows">
        <Slip>
          <div class="result-icon circle on-tint stack centered soft result-icon-info">
            <Icon name="info" />
          </div>
          <h1 class="result-heading tight text-center">{heading}</h1>
          {texts.map((text) => (
            <p class="result-text soft small text-center">{text}</p>
          ))}
        </Slip>
      </main>
    </Layout>,
  )
