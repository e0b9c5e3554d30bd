import type { Child } from 'hono/jsx'
import type { ScreenName, ScreenView } from '../../../contract/sandbox/screens.ts'
import { Icon } from '../../components/icons.tsx'
import { cardLook } from './card-face.tsx'
import { CancelForm } from './forms.tsx'
import { PinScreen, PresentScreen, SignatureScreen, TipScreen } from './input-screens.tsx'
import { Offline, pairing, processing, Ready, Result } from './passive-screens.tsx'
import { saleForm } from './sale-form.tsx'
import { previousResult, screenAnnouncement, takesSale, type WorkbenchView } from './workbench-view.ts'

/** Display of a terminal, with its text for screen readers. `status`: the bar at its upper end, which changes by itself. `transactionRequestId`: of the sale that can be typed. */
export const drawScreen = (workbench: WorkbenchView, status: Child, transactionRequestId: string) => {
  const { screen: view, before, isCardIn } = workbench
  const previous = waitsForCard.has(view.screen) ? before : null
  return (
    <>
      <div
        class={`display flex ink display-${view.screen}`}
        data-screen={view.screen}
        data-announcement={
          previous === null
            ? screenAnnouncement(view)
            : `${previousResult(previous)}. ${screenAnnouncement(view)}`
        }
        tabindex={-1}
      >
        {status}
        {previous !== null && (
          <p class={`before smallest text-center rigid before-${previous.status}`}>
            {previousResult(previous)}
          </p>
        )}
        <div class="display-body stack middle text-center grows">
          {drawn(workbench)}
          {takesSale(view) && saleForm(workbench, transactionRequestId)}
        </div>
      </div>
      {view.acts.includes('cancel') && <CancelForm view={view} />}
      {isCardIn && inReader.has(view.screen) && (
        <span class={`inserted absolute ${cardLook(view.transaction?.card ?? '')}`} aria-hidden="true" />
      )}
    </>
  )
}

/** The result of the payment before stays for as long as the next one waits for its card. */
const waitsForCard: ReadonlySet<ScreenName> = new Set(['present-card', 'insert-card'])

function drawn({ screen: view, isCardIn, command }: WorkbenchView): Child {
  const { transaction } = view
  if (view.screen === 'pairing') return pairing(view, command)
  if (view.screen === 'offline') return <Offline view={view} />
  if (transaction === null) return <Ready view={view} />
  const props = { view, transaction }
  switch (view.screen) {
    case 'present-card':
    case 'insert-card':
      return <PresentScreen {...props} />
    case 'tip':
      return <TipScreen {...props} />
    case 'pin':
      return <PinScreen {...props} />
    case 'signature':
      return <SignatureScreen {...props} />
    case 'processing':
      return processing(transaction, isCardIn)
    default:
      return <Result {...props} />
  }
}

const inReader: ReadonlySet<ScreenName> = new Set(['tip', 'pin', 'processing'])

/** Serial, line and connection, at the upper end of the display. */
export const StatusBar = ({ view: { terminalSn, online, mode, waiting } }: { readonly view: ScreenView }) => (
  <p class="status-bar row gap-2 soft smallest rigid">
    <span class="status-sn one-line cut shrinks grows code">{terminalSn}</span>
    {mode === 'auto' && <span class="pill pill-test">automatic</span>}
    {waiting > 0 && <span class="pill pill-test">{waiting} waiting</span>}
    <span class={online ? 'flex' : 'flex signal-none'}>
      <Icon name="signal" />
    </span>
    <span class="visually-hidden">{online ? 'online' : 'offline'}</span>
  </p>
)
