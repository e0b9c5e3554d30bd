import { documentAt, documentList } from '../../contract/documents/documents.ts'
import { Refusal, reject } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { removeSpace, revokeToken } from '../../sandbox/control/access-handlers.ts'
import { clearFaults, removeFault } from '../../sandbox/control/change-faults.ts'
import { removeSnapshot } from '../../sandbox/control/state/snapshot-handlers.ts'
import { baseUrlOf, type Call, idInPath } from '../../sandbox/http/call.ts'
import { refuseCardData } from '../../sandbox/http/card-data.ts'
import { missingPage, renderPage } from '../frame/page-frame.tsx'
import type { MakePage, PageAction, PagesContext, PageView } from '../frame/page-view.tsx'
import { clockNow } from '../masthead/masthead.tsx'
import type { AddPage } from '../serving/answer-page.ts'
import { listBefore, pageBefore } from '../serving/form-fields.ts'
import { streamView } from '../serving/fragment-stream.ts'
import { createSpaceAction, removeSpacePage, spacesPage } from './access/spaces-page.tsx'
import { auditPage, createTokenAction, revokeTokenPage, tokensPage } from './access/tokens-page.tsx'
import { closeBatchAction, closePage } from './batches/batch-close.tsx'
import { batchesPage } from './batches/batches-page.tsx'
import { coveragePage } from './coverage/coverage-page.tsx'
import { docsPage, guidePage } from './docs/docs-page.tsx'
import { faultsPage, injectAction, presetAction } from './faults/faults-page.tsx'
import { unreadSince } from './lists/list-page.tsx'
import { keysSheet } from './palette/keys-sheet.tsx'
import { paletteOptions } from './palette/palette-options.tsx'
import { followUpAction, followUpPage } from './payments/follow-up-page.tsx'
import { followUps } from './payments/follow-ups.ts'
import { newPaymentAction, newPaymentPage } from './payments/new-payment-page.tsx'
import { requestPage } from './requests/request-detail.tsx'
import { requestsPage } from './requests/requests-page.tsx'
import { clearQueueAction, clockAction, queueAction } from './sandbox/clock-and-outcomes.ts'
import { clockPage } from './sandbox/clock-page.tsx'
import {
  deleteSnapshotPage,
  resetKept,
  resetPage,
  restoreKept,
  saveAction,
  snapshotsPage,
} from './sandbox/snapshots-page.tsx'
import { exportTransactions } from './transactions/export-transactions.ts'
import { transactionPage } from './transactions/transaction-page.tsx'
import { chooseColumns } from './transactions/transaction-table.tsx'
import { transactionsPage } from './transactions/transactions-page.tsx'
import { resendAction, resendPage, webhookActions } from './webhooks/webhook-actions.tsx'
import { webhookPage } from './webhooks/webhook-page.tsx'
import { resendFailedPage, webhooksPage } from './webhooks/webhooks-page.tsx'

const followUpRoutes = followUps.map((each) => [`/transactions/:id/${each.path}`, each] as const)

const pages: Readonly<Record<string, MakePage>> = {
  '/': transactionsPage,
  '/transactions/:id': transactionPage,
  ...Object.fromEntries(followUpRoutes.map(([route, each]) => [route, followUpPage(each)])),
  '/payments/new': newPaymentPage,
  '/transactions/:id/resend': resendPage,
  '/batches': batchesPage,
  '/batches/close': closePage,
  '/webhooks': webhooksPage,
  '/webhooks/resend': resendFailedPage,
  '/webhooks/:id': webhookPage,
  '/faults': faultsPage,
  '/coverage': coveragePage,
  '/requests': requestsPage,
  '/docs': docsPage,
  '/docs/guides/:id': guidePage,
  '/clock': clockPage,
  '/snapshots': snapshotsPage,
  '/snapshots/:id/delete': deleteSnapshotPage,
  '/reset': resetPage,
  '/spaces': spacesPage,
  '/spaces/:id/remove': removeSpacePage,
  '/tokens': tokensPage,
  '/tokens/:id/revoke': revokeTokenPage,
  '/audit': auditPage,
  '/requests/:id': requestPage,
}

/**
 * Actions of the buttons; each resolves to the page of its result, some with a notice, or to its form after a
 * refusal.
 */
const actions: Readonly<Record<string, PageAction>> = {
  ...Object.fromEntries(followUpRoutes.map(([route, each]) => [route, followUpAction(each)])),
  '/payments/new': newPaymentAction,
  '/transactions/:id/resend': resendAction,
  '/batches/close': closeBatchAction,
  '/faults': injectAction,
  '/faults/presets': presetAction,
  '/faults/clear': async (context, call) => {
    await context.send(clearFaults)
    return { to: pageBefore(call, '/faults'), notice: { text: 'All faults cleared.' } }
  },
  '/faults/:id/clear': async (context, call) => {
    const isOn = context.faults.list().some(({ id }) => id === idInPath(call))
    if (isOn) await context.send(removeFault, idInPath(call))
    const text = isOn ? 'The fault is removed.' : 'The fault is removed already.'
    return { to: pageBefore(call, '/faults'), notice: { text } }
  },
  '/clock': clockAction,
  '/outcomes': queueAction,
  '/outcomes/clear': clearQueueAction,
  '/snapshots': saveAction,
  '/snapshots/:id/restore': async (context, call) => ({
    to: listBefore(call),
    notice: await restoreKept(context, idInPath(call)),
  }),
  '/snapshots/:id/delete': async (context, call) => {
    await context.send(removeSnapshot, idInPath(call))
    return { to: '/snapshots', notice: { text: `Deleted ${idInPath(call)}.` } }
  },
  '/spaces': createSpaceAction,
  '/spaces/:space/remove': async (context, call) => {
    await context.send(removeSpace, call)
    return { to: '/spaces', notice: { text: `Removed the space ${call.req.param('space')}.` } }
  },
  '/tokens': createTokenAction,
  '/tokens/:id/revoke': async (context, call) => {
    await context.send(revokeToken, idInPath(call))
    return {
      to: '/tokens',
      notice: { text: `Revoked ${idInPath(call)}: requests with it are refused from now on.` },
    }
  },
  '/reset': async (context) => ({ to: '/', notice: await resetKept(context) }),
  ...webhookActions,
}

/** The pages for developers: they show the sandbox, and follow its changes. */
export function serveDashboard(page: AddPage, context: PagesContext): void {
  page('GET', '/llms.txt', (call) => listAsText(call, 'text/plain'))
  page('GET', '/docs.md', (call) => listAsText(call, 'text/markdown'))
  page('GET', '/docs/:page{.+\\.md}', documentAsText)
  for (const [path, make] of Object.entries(pages)) {
    page('GET', path === '/' ? '/live' : `${path}/live`, (call) => stream(context, call, make))
    page('GET', path, (call) => show(context, call, make))
  }
  for (const format of ['csv', 'json'] as const)
    page('GET', `/transactions.${format}`, (call) => exportTransactions(context, call, format))
  page('GET', '/palette', async (call) => {
    const { q = '', at = '' } = call.req.query()
    refuseCardData(q)
    return call.html(await paletteOptions(context, q.slice(0, limits.text), at))
  })
  page('GET', '/keys', (call) => call.html(keysSheet()))
  page('GET', '/columns', chooseColumns)
  page('GET', '/unread', (call) =>
    call.json(unreadSince(context.statistics.current, call.req.query('since') ?? '')),
  )
  page('GET', '/clock/now', (call) => call.html(clockNow(context)))
  for (const [path, action] of Object.entries(actions))
    page('POST', path, async (call) => {
      const done = await action(context, call)
      if (typeof done !== 'string' && 'body' in done) return draw(context, call, done)
      return call.redirect(typeof done === 'string' ? done : context.notices.addressFor(done), 303)
    })
}

/** The list of all documents, which leads to each as Markdown. */
const listAsText = (call: Call, type: string): Response =>
  call.text(
    documentList((path) => `${baseUrlOf(call)}${path}.md`),
    200,
    { 'Content-Type': `${type}; charset=utf-8` },
  )

/** A document as Markdown, at the address of its page with `.md`. */
function documentAsText(call: Call): Response {
  const path = call.req.path.replace(/\.md$/, '')
  const detail = `the sandbox has no document ${path.slice(0, 100)}`
  const text = documentAt(path) ?? reject('SBX_NO_PATH', { field: 'path', detail })
  return call.text(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
}

/** The page of a call; a repeated query parameter counts once. */
async function makeView(context: PagesContext, call: Call, make: MakePage): Promise<PageView> {
  const query = call.req.query()
  refuseCardData(JSON.stringify(query))
  const { name, scope } = call.get('grant') ?? {}
  const request = { id: idInPath(call), query, baseUrl: baseUrlOf(call), scope }
  const view = await make(context, request, context.notices.named(query.notice)?.refused)
  if (scope !== 'viewer' || !view.isAct) return view
  return reject('SBX_SCOPE', { detail: `the token ${name} has scope viewer, which changes nothing` })
}

const show = async (context: PagesContext, call: Call, make: MakePage): Promise<Response> =>
  draw(context, call, await makeView(context, call, make))

async function draw(context: PagesContext, call: Call, view: PageView): Promise<Response> {
  const notice = context.notices.named(call.req.query('notice'))
  return call.html(await renderPage(context, view, notice), view.status ?? 200)
}

/**
 * Streams the changing fragments of a page. A browser cannot see why a stream is refused, so a missing record
 * is streamed as such.
 */
async function stream(context: PagesContext, call: Call, make: MakePage): Promise<Response> {
  const view = await makeView(context, call, make).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    return missingPage(error, call.req.path) ?? Promise.reject(error)
  })
  return streamView(context, call, view)
}
