import { Refusal } from '../../contract/errors.ts'
import { resendWebhooks } from '../../control/resend.ts'
import { refuseCardData } from '../../http/body.ts'
import { type Call, originOf } from '../../http/call.ts'
import type { PagesContext } from '../frame/context.ts'
import type { PageView } from '../frame/page-view.ts'
import type { AddPage } from '../serving/answer-page.ts'
import { fieldsOf } from '../serving/form-fields.ts'
import type { Query } from './lists/query.ts'

type LoadPage = (context: PagesContext, call: Call) => Promise<PageView>

type PageOf<T> = (context: PagesContext, value: T, origin: string) => PageView

/** A page of the query; it is loaded with the first request. */
const ofQuery =
  (load: () => Promise<PageOf<Query>>): LoadPage =>
  async (context, call) =>
    (await load())(context, queryOf(call), originOf(call))

/** A page of the record that the path names. */
const ofId =
  (load: () => Promise<PageOf<string>>): LoadPage =>
  async (context, call) =>
    (await load())(context, idOf(call), originOf(call))

const pages: Readonly<Record<string, LoadPage>> = {
  '/': ofQuery(async () => (await import('./transactions/transactions-page.tsx')).transactionsPage),
  '/transactions/:id': ofId(
    async () => (await import('./transactions/transaction-page.tsx')).transactionPage,
  ),
  '/transactions/:id/receipt': ofId(
    async () => (await import('./transactions/receipt-page.tsx')).receiptPage,
  ),
  '/batches': ofQuery(async () => (await import('./batches/batches-page.tsx')).batchesPage),
  '/batches/close': ofQuery(async () => (await import('./batches/batch-close.tsx')).closePage),
  '/webhooks': ofQuery(async () => (await import('./webhooks/webhooks-page.tsx')).webhooksPage),
  '/webhooks/:id': async (context, call) => {
    const { webhookPage } = await import('./webhooks/webhook-page.tsx')
    return webhookPage(context, idOf(call), queryOf(call).sent === 'again', originOf(call))
  },
  '/requests': ofQuery(async () => (await import('./requests/requests-page.tsx')).requestsPage),
  '/requests/:id': ofId(async () => (await import('./requests/request-page.tsx')).requestPage),
}

/** Actions of the buttons; each resolves to the path of the page that shows its result. */
const actions: Readonly<Record<string, (context: PagesContext, call: Call) => Promise<string>>> = {
  '/batches/close': async (context, call) => {
    const { closeBatches, closeFields } = await import('./batches/batch-close.tsx')
    await closeBatches(context, await fieldsOf(call, closeFields))
    return '/batches'
  },
  '/webhooks/:id/resend': async (context, call) => {
    await resendWebhooks(context, { ids: [idOf(call)] })
    return `/webhooks/${idOf(call)}?sent=again`
  },
}

const idOf = (call: Call): string => call.req.param('id') ?? ''

/** The pages for developers: they show what the sandbox holds, and follow it. */
export function serveDashboard(page: AddPage, context: PagesContext): void {
  for (const [path, make] of Object.entries(pages)) {
    page('GET', path === '/' ? '/live' : `${path}/live`, (call) => stream(context, call, make))
    page('GET', path, (call) => show(context, call, make))
  }
  for (const [path, action] of Object.entries(actions))
    page('POST', path, async (call) => call.redirect(await action(context, call), 303))
}

/** The query of a call; a name that is sent twice counts once. Errors: SBX_CARD_DATA. */
function queryOf(call: Call): Query {
  const query = call.req.query()
  refuseCardData(JSON.stringify(query))
  return query
}

async function show(context: PagesContext, call: Call, make: LoadPage): Promise<Response> {
  const { withStatusStrip } = await import('../frame/status-strip.tsx')
  const { renderPage } = await import('../frame/page-frame.tsx')
  const view = withStatusStrip(context, await make(context, call))
  return call.html(renderPage(view, await view.fragments()), view.status ?? 200)
}

/** Streams the changing pieces of a page. A browser does not see why a stream is refused: what is gone is streamed so. */
async function stream(context: PagesContext, call: Call, make: LoadPage): Promise<Response> {
  const { withStatusStrip } = await import('../frame/status-strip.tsx')
  const { streamView } = await import('./fragment-stream.ts')
  return streamView(context, call, withStatusStrip(context, await orGone(call, () => make(context, call))))
}

/** What is not there has a view that says so. Errors: any other refusal. */
async function orGone(call: Call, make: () => Promise<PageView> | PageView): Promise<PageView> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { missingPage } = await import('../frame/missing-page.tsx')
    const missing = missingPage(error, call.req.path, originOf(call))
    if (missing === null) throw error
    return missing
  }
}
