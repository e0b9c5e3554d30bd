import { Refusal } from '../../contract/errors.ts'
import { baseUrlOf, type Call } from '../../http/call.ts'
import { refuseCardData } from '../../http/card-data.ts'
import { faultFrequency, faultInWords } from '../../presentation/fault-words.ts'
import { type NoticeRedirect, noticeNamed, noticeUrl } from '../frame/notices.ts'
import type { PageRequest, PageView } from '../frame/page-view.tsx'
import type { FrameContext, PagesContext } from '../frame/pages-context.ts'
import { listBefore, pageBefore } from '../masthead/page-before.ts'
import type { AddPage } from '../serving/answer-page.ts'
import { fieldsOf, formOf } from '../serving/form-fields.ts'
import { followUps } from './payments/follow-ups.ts'
import { hideStart, hidesStart, showStart } from './start/start-cookie.ts'

/** The form page of each action on a transaction. */
const followUpPages = Object.fromEntries(
  followUps.map(({ path }) => [
    `/transactions/:id/${path}`,
    async () => (await import('./payments/follow-up-page.tsx')).followUpPage(path),
  ]),
)

type MakePage = (context: PagesContext, request: PageRequest) => PageView | Promise<PageView>

/** Pages by path; each is loaded with its first request. */
const pages: Readonly<Record<string, () => Promise<MakePage>>> = {
  '/': async () => (await import('./transactions/transactions-page.tsx')).transactionsPage,
  '/transactions/:id': async () => (await import('./transactions/transaction-page.tsx')).transactionPage,
  '/transactions/:id/receipt': async () => (await import('./transactions/receipt-page.tsx')).receiptPage,
  ...followUpPages,
  '/payments/new': async () => (await import('./payments/new-payment-page.tsx')).newPaymentPage,
  '/transactions/:id/resend': async () => (await import('./payments/resend-page.tsx')).resendPage,
  '/batches': async () => (await import('./batches/batches-page.tsx')).batchesPage,
  '/batches/close': async () => (await import('./batches/batch-close.tsx')).closePage,
  '/webhooks': async () => (await import('./webhooks/webhooks-page.tsx')).webhooksPage,
  '/webhooks/:id': async () => (await import('./webhooks/webhook-page.tsx')).webhookPage,
  '/webhooks/:id/edit': async () => (await import('./webhooks/edit/edit-page.tsx')).editPage,
  '/faults': async () => (await import('./faults/faults-page.tsx')).faultsPage,
  '/requests': async () => (await import('./requests/requests-page.tsx')).requestsPage,
  '/docs': async () => (await import('./docs/docs-page.tsx')).docsPage,
  '/docs/:id': async () => (await import('./docs/operation-page.tsx')).operationPage,
  '/checkpoints': async () => (await import('./sandbox/checkpoints-page.tsx')).checkpointsPage,
  '/reset': async () => (await import('./sandbox/reset-page.tsx')).resetPage,
  '/start': async () => (await import('./start/start-page.tsx')).startPage,
  '/requests/:id': async () => (await import('./requests/request-page.tsx')).requestPage,
}

/** Lists as files, by path. */
const files = { '/transactions.csv': 'csv', '/transactions.json': 'json' } as const

type PageAction = (context: PagesContext, call: Call) => Promise<string | NoticeRedirect | PageView>

const followUpActions = Object.fromEntries(
  followUps.map(({ path }): [string, PageAction] => [
    `/transactions/:id/${path}`,
    async (context, call) =>
      (await import('./payments/follow-up-page.tsx')).followUpAction(path)(context, call),
  ]),
)

/**
 * Actions of the buttons; each resolves to the page of its result, some with a notice, or to its form after a refusal.
 */
const actions: Readonly<Record<string, PageAction>> = {
  ...followUpActions,
  '/payments/new': async (context, call) =>
    (await import('./payments/new-payment-page.tsx')).newPaymentAction(context, call),
  '/transactions/:id/resend': async (context, call) =>
    (await import('./payments/resend-page.tsx')).resendAction(context, call),
  '/batches/close': async (context, call) => {
    const { closeBatchAction: closeBatch, closeFields } = await import('./batches/batch-close.tsx')
    return closeBatch(context, await fieldsOf(call, closeFields), baseUrlOf(call))
  },
  '/faults': async (context, call) => {
    const { addFromForm, faultFields } = await import('./faults/fault-actions.ts')
    const fault = await addFromForm(context, await fieldsOf(call, faultFields))
    const text = `Injected ${faultInWords(fault)}, ${faultFrequency(fault)}.`
    return {
      to: pageBefore(call, '/faults'),
      notice: { text, undo: { path: `/faults/${fault.id}/clear`, fields: {} } },
    }
  },
  '/faults/clear': async (context, call) => {
    await context.commands.clearFaults()
    return { to: pageBefore(call, '/faults'), notice: { text: 'No fault is injected any more.' } }
  },
  '/faults/:id/clear': async (context, call) => {
    await context.commands.removeFault(idOf(call))
    return { to: pageBefore(call, '/faults'), notice: { text: 'The fault is removed.' } }
  },
  '/clock': async (context, call) => (await menuActions()).actFromMenu(context, call, 'clock'),
  '/outcomes': async (context, call) => (await menuActions()).actFromMenu(context, call, 'outcomes'),
  '/outcomes/clear': async (context, call) =>
    (await menuActions()).actFromMenu(context, call, 'outcomes-clear'),
  '/checkpoints': async (context, call) => (await menuActions()).actFromMenu(context, call, 'checkpoints'),
  '/checkpoints/:id/restore': async (context, call) => {
    const { saveAndRestore } = await import('./sandbox/state-actions.ts')
    return { to: listBefore(call), notice: await saveAndRestore(context, idOf(call)) }
  },
  '/checkpoints/:id/delete': async (context, call) => {
    await context.commands.removeCheckpoint(idOf(call))
    return { to: '/checkpoints', notice: { text: `Deleted ${idOf(call)}.` } }
  },
  '/reset': async (context) => {
    const { saveAndReset } = await import('./sandbox/state-actions.ts')
    return { to: '/', notice: await saveAndReset(context) }
  },
  '/start/hide': async (_, call) => hideStart(call),
  '/start/show': async (_, call) => showStart(call),
  '/webhooks/resend': async (context, call) => {
    const { resendChosen } = await import('./webhooks/webhook-actions.ts')
    return resendChosen(context, await formOf(call))
  },
  '/webhooks/hold': async (context, call) => {
    const { holdAll } = await import('./webhooks/webhook-actions.ts')
    return holdAll(context, await formOf(call))
  },
  '/webhooks/release': async (context, call) => {
    const { release } = await import('./webhooks/webhook-actions.ts')
    return release(context, await formOf(call))
  },
  '/webhooks/:id/edit': async (context, call) =>
    (await import('./webhooks/edit/edit-page.tsx')).editAction(context, call),
  '/webhooks/:id/resend-to': async (context, call) => {
    const { resendTo } = await import('./webhooks/webhook-actions.ts')
    const request = { id: idOf(call), query: {}, baseUrl: baseUrlOf(call) }
    return resendTo(context, request, await formOf(call))
  },
  '/webhooks/:id/resend': async (context, call) => {
    await context.commands.resendWebhooks({ ids: [idOf(call)] })
    return {
      to: `/webhooks/${idOf(call)}`,
      notice: { text: 'Resending the notification, with the same id.' },
    }
  },
}

const menuActions = () => import('./sandbox/menu-actions.ts')

const idOf = (call: Call): string => call.req.param('id') ?? ''

/** The pages for developers: they show the sandbox, and follow its changes. */
export function serveDashboard(add: AddPage, context: PagesContext): void {
  const page: AddPage = (method, path, handle) =>
    add(method, path, async (call) => {
      await context.statistics.prepare()
      return handle(call)
    })
  for (const [path, load] of Object.entries(pages)) {
    page('GET', path === '/' ? '/live' : `${path}/live`, (call) => stream(context, call, load))
    page('GET', path, (call) => show(context, call, load))
  }
  for (const [path, format] of Object.entries(files))
    page('GET', path, async (call) =>
      (await import('./transactions/export-transactions.ts')).exportTransactions(context, call, format),
    )
  page('GET', '/palette', async (call) => {
    const { paletteOptions } = await import('./palette/palette-options.tsx')
    const typed = call.req.query('q') ?? ''
    refuseCardData(typed)
    return call.html(await paletteOptions(context, typed.slice(0, 64)))
  })
  page('GET', '/columns', async (call) => (await import('./lists/list-columns.tsx')).chooseColumns(call))
  page('GET', '/unread', async (call) => {
    const { unreadSince } = await import('./lists/unread-since.ts')
    return call.json(unreadSince(context.statistics.current, call.req.query('since') ?? ''))
  })
  page('GET', '/checkpoints/latest', async (call) => {
    const { latestCheckpoints } = await import('../masthead/state-menu.tsx')
    return call.html(String(await latestCheckpoints(context)))
  })
  for (const [path, action] of Object.entries(actions))
    page('POST', path, async (call) => {
      const done = await action(context, call)
      if (typeof done === 'object' && 'notice' in done && done.notice.refused) call.set('answered', 'refused')
      if (typeof done !== 'string' && 'body' in done) return draw(context, call, done)
      return call.redirect(typeof done === 'string' ? done : noticeUrl(context, done), 303)
    })
}

/** The page of a call; a repeated query parameter counts once. Errors: SBX_CARD_DATA. */
async function viewOf(
  context: PagesContext,
  call: Call,
  load: () => Promise<MakePage>,
  hides = false,
): Promise<PageView> {
  const query = call.req.query()
  refuseCardData(JSON.stringify(query))
  const isStartHidden = hides || query.start === 'off'
  return (await load())(context, { id: idOf(call), query, baseUrl: baseUrlOf(call), isStartHidden })
}

const show = async (context: PagesContext, call: Call, load: () => Promise<MakePage>): Promise<Response> =>
  draw(context, call, await viewOf(context, call, load, hidesStart(call)))

async function draw(context: FrameContext, call: Call, view: PageView): Promise<Response> {
  const { renderPage } = await import('../document/page-frame.tsx')
  const notice = noticeNamed(context, call.req.query('notice'))
  return call.html(await renderPage(context, view, notice), view.status ?? 200)
}

/**
 * Streams the changing fragments of a page. A browser cannot see why a stream is refused, so a missing record is
 * streamed as such.
 */
async function stream(context: PagesContext, call: Call, load: () => Promise<MakePage>): Promise<Response> {
  const { streamView } = await import('../serving/fragment-stream.ts')
  return streamView(context, call, await orGone(context, call, () => viewOf(context, call, load)))
}

/** A missing record has its own view. Errors: any other refusal. */
async function orGone(
  context: Pick<PagesContext, 'log'>,
  call: Call,
  make: () => Promise<PageView>,
): Promise<PageView> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { missingPage } = await import('../document/missing-page.tsx')
    const missing = missingPage(context, error, call.req.path, baseUrlOf(call))
    if (missing === null) throw error
    return missing
  }
}
