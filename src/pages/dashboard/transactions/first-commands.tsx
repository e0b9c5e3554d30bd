import { terminalPath } from '../../../contract/control/screens.ts'
import { actingFor } from '../../../sandbox/request-log/hide-secrets.ts'
import { shellQuote } from '../../../shared/text/shell-quote.ts'
import { CopyText } from '../../components/command.tsx'
import { Empty } from '../../components/panel.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'

interface FirstCommandsProps {
  readonly context: PagesContext
  readonly baseUrl: string
}

/** What the list says while nothing is stored: commands for a payment, a tap at a terminal, and webhooks. */
export const FirstCommands = ({ context, baseUrl }: FirstCommandsProps) => {
  const attended = attendedTerminal(context)
  const sale = `tillbox sale --amount 12.50 --terminal ${shellQuote(attended?.terminalSn ?? 'DESK-1')}`
  const tap =
    attended === undefined
      ? ([
          ['Add an attended terminal', 'tillbox terminal add DESK-1 --mode attended'],
          ['Send a payment to it, and present a card there', sale],
        ] as const)
      : ([
          [
            <>
              Send a payment to <a href={terminalPath(attended.terminalSn)}>{attended.terminalSn}</a>, and
              present a card there
            </>,
            actingFor(context.directory, attended.ledger.settings, sale),
          ],
        ] as const)
  return (
    <div class="first-commands">
      <Empty
        title="No payments yet"
        commands={[
          ['Take a payment', 'tillbox sale --amount 10.00'],
          ...tap,
          ['Forward webhooks to your server', 'tillbox listen localhost:3000/hook'],
        ]}
        baseUrl={baseUrl}
      >
        <p>
          Your client calls <CopyText text={baseUrl} />
        </p>
      </Empty>
    </div>
  )
}

/** The first attended terminal; undefined when the sandbox has none. */
function attendedTerminal({ engine }: PagesContext) {
  for (const ledger of engine.state.ledgers.values())
    for (const { terminalSn, profile } of ledger.terminals.values())
      if (profile.mode === 'attended' && profile.online !== false) return { terminalSn, ledger }
  return undefined
}
