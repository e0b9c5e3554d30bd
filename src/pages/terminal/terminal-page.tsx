import { terminalPath } from '../../contract/control/screens.ts'
import type { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../sandbox/http/call.ts'
import { ConnectionNotice } from '../components/basics.tsx'
import { htmlDocument, Layout } from '../components/layout.tsx'
import { navigation } from '../components/navigation.tsx'
import { Toast } from '../frame/page-frame.tsx'
import { type PagesContext, spaceName, titleIn } from '../frame/page-view.tsx'
import { SandboxControl } from '../masthead/masthead.tsx'
import { RefusalNoticeTemplate } from './screens/forms.tsx'
import { deviceView, type WorkbenchView } from './screens/workbench-view.ts'
import { Workbench } from './workbench.tsx'

/** True for a page that shows a device alone, and its stream. */
export const showsDeviceAlone = (call: Call): boolean => call.req.query('view') === 'device'

/**
 * The page of one terminal, with the masthead and the last notice, or the device alone. `refusal`: of the
 * last action. Without scripts the page reloads itself, unless a person may enter more than a cancel; a
 * refusal stays to be read.
 */
export function renderTerminal(
  context: PagesContext,
  call: Call,
  view: WorkbenchView,
  refusal?: Refusal,
): string {
  const { terminalSn, merchantName, acts } = view.screen
  const isAlone = showsDeviceAlone(call)
  const notice = context.notices.named(call.req.query('notice'))
  const space = spaceName(context)
  const title = `${terminalSn} – ${merchantName ?? 'not paired'}`
  return htmlDocument(
    <Layout
      title={titleIn(isAlone ? null : space, title, title)}
      script="terminal.js"
      styles="terminal.css"
      lookAgain={refusal === undefined && acts.length <= 1 ? 2 : undefined}
      hasMasthead
    >
      {!isAlone &&
        navigation('terminals', space, <SandboxControl context={context} terminalSn={terminalSn} />)}
      <ConnectionNotice />
      <RefusalNoticeTemplate />
      <main
        class={isAlone ? 'shop shop-alone' : 'shop flex-1'}
        id="main"
        tabindex={-1}
        hx-ext="sse"
        sse-connect={`${terminalPath(terminalSn)}/live${isAlone ? deviceView : ''}`}
        sse-swap="fragments"
        hx-swap="none"
      >
        <Workbench view={view} refusal={refusal} />
      </main>
      {!isAlone && <Toast notice={notice} />}
    </Layout>,
  )
}
