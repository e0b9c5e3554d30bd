import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Refusal } from '../../contract/errors.ts'
import { typedCommands } from '../../shared/text/commands.ts'
import { capitalize } from '../../shared/text/words.ts'
import { ResultPage, ResultText } from '../components/basics.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'

type ShownRefusal = Pick<Refusal, 'code' | 'message'> & Partial<Refusal>

/** The page of a request refused or failed, without effect. A developer sees the fault and its remedy. */
export function renderRefusal({ code, message, field, detail, remedy }: ShownRefusal): string {
  if (code === 'SBX_SESSION_NONE')
    return messagePage('No payment here', 'There is no payment here', [
      'The link is wrong, or the sandbox was reset. Nothing was charged: check out again at the shop.',
      <code class="code text-note wrap-anywhere">{message}</code>,
    ])
  const heading = 'That did not work'
  const exactly = `${field === undefined ? '' : `${field}: `}${detail}. ${typedCommands(remedy ?? '')}.`
  const isExplained = code === 'SBX_BAD_HTTP' || code === 'SBX_SCOPE'
  return messagePage(heading, heading, [
    `${message}. Nothing was changed.`,
    ...(isExplained ? [exactly] : []),
  ])
}

/** Says that the pages of this sandbox need a token, or why the one that was sent is refused. */
export const renderTokenWanted = ({ message, detail, remedy = '' }: ShownRefusal): string =>
  detail === undefined
    ? messagePage('Token required', 'This sandbox requires a token', [
        'Add ?token=… to the address, with the token that the sandbox was started with, or one that tillbox token create made. The browser keeps it until you close it.',
      ])
    : messagePage('Token refused', message, [`${capitalize(detail)}. ${typedCommands(remedy)}.`])

const messagePage = (title: string, heading: string, texts: readonly Child[]): string =>
  htmlDocument(
    <Layout title={title}>
      <ResultPage icon="info" tone="info" heading={heading}>
        {texts.map((text) => (
          <ResultText>{text}</ResultText>
        ))}
      </ResultPage>
    </Layout>,
  )

/** In the page itself: the stylesheet of all others may be as far away as the space. */
const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; color: light-dark(#13201a, #e9f0ec); background: light-dark(#edf1ec, #0b110e); }
main { box-sizing: border-box; width: min(34rem, 100% - 2rem); padding: 2rem; overflow-wrap: anywhere; background: light-dark(#ffffff, #18211d); border: 1px solid light-dark(#dde4de, #2a3630); border-radius: 0.75rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0.5rem 0 0; color: light-dark(#4d5b54, #a4b2ab); }
`

const hash = createHash('sha256').update(style).digest('base64')

/** Content security policy of the page: only its own style. */
export const outagePolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Says that no node serves the space now. `loadsAgain`: it reloads by itself after a look-up. */
export const renderOutage = (detail: string, loadsAgain: boolean): string =>
  htmlDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>No answer · tillbox</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <main>
          <h1>This space does not answer at the moment</h1>
          <p class="result-text">{capitalize(detail)}.</p>
          <p>
            {loadsAgain
              ? 'The page reloads automatically.'
              : 'Go back, and check whether it was done before you repeat it.'}
          </p>
        </main>
      </body>
    </html>,
  )
