import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client'
import type { StateSummary } from '../contract/control/control-answers.ts'
import { firstSpace } from '../contract/control/spaces.ts'
import { errorTable, Refusal } from '../contract/errors.ts'
import type { Access } from '../sandbox/access/access.ts'
import { metricsPath } from '../sandbox/access/grants.ts'
import { guardAccess } from '../sandbox/http/access/guard-access.ts'
import { noteAccess } from '../sandbox/http/access/note-access.ts'
import type { Call, Env } from '../sandbox/http/call.ts'
import { refused } from '../sandbox/http/envelope.ts'
import type { FaultAnswers } from '../sandbox/http/http-faults.ts'
import { guardOrigin } from '../sandbox/http/origin.ts'
import type { ReceivedRequest } from '../sandbox/http/received-request.ts'
import { summary } from '../sandbox/views/views.ts'
import { wallTime } from '../shared/timers.ts'
import type { SandboxOptions } from './sandbox/options.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

/** What the metrics of a server are read from, and who may read them. */
interface MetricsSource {
  readonly access: Access
  /** Address that the server is bound to, as in a URL. */
  readonly host: string
  readonly options: Partial<Pick<SandboxOptions, 'publicUrl' | 'wall'>>
  /** Every sandbox in memory. */
  readonly sandboxes: () => readonly Pick<Sandbox, 'engine'>[]
  readonly answers: FaultAnswers
}

/** The metrics of a server, with all its spaces, in OpenMetrics 1.0. assumption: metrics */
export class Metrics {
  readonly #registry = new Registry<OpenMetricsContentType>()
  readonly #requests = new Counter({
    name: 'tillbox_requests_total',
    help: 'Requests that the request log counts, by operation and code of the answer',
    labelNames: ['operation', 'code'] as const,
    registers: [this.#registry],
  })
  readonly #durations = new Histogram({
    name: 'tillbox_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['operation'] as const,
    registers: [this.#registry],
  })

  constructor() {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Counts each handled request. Pages, the control interface and unknown paths are operation `other`. */
  counting(onRequest: SandboxOptions['onRequest'] = null): SandboxOptions['onRequest'] {
    return (entry, transaction) => {
      const operation = entry.operation ?? 'other'
      this.#requests.inc({ operation, code: entry.code })
      this.#durations.observe({ operation }, entry.durationMs / 1000)
      onRequest?.(entry, transaction)
    }
  }

  /** Answers requests for `/metrics`; `handle` gets all others. */
  before(handle: RequestListener, source: MetricsSource): RequestListener {
    this.#count('spaces', 'Spaces of this process', 'state', source, () => ({ memory: 1 }))
    this.#count('transactions', 'Transactions in memory', 'status', source, ({ byStatus }) => byStatus)
    this.#count('webhook_deliveries', 'Webhooks in memory', 'state', source, ({ webhooks }) => webhooks)
    const metricsListener = getRequestListener(this.#app(source).fetch)
    const asksForMetrics = ({ url, refusal }: ReceivedRequest) =>
      refusal === undefined && url?.split('?', 1)[0] === metricsPath
    return (incoming, outgoing) => (asksForMetrics(incoming) ? metricsListener : handle)(incoming, outgoing)
  }

  #app({ access, host, options: { publicUrl, wall = wallTime }, answers }: MetricsSource): Hono<Env> {
    const app = new Hono<Env>()
    const refuse = async (call: Call, refusal: Refusal) => {
      call.set('answered', refusal.code)
      return call.json(refused(answers.newTraceId(), refusal, false), errorTable[refusal.code].status as 403)
    }
    app.onError((error, call) => refuse(call, error instanceof Refusal ? error : new Refusal('SBX_INTERNAL')))
    app.notFound((call) => {
      call.header('Allow', 'GET')
      return refuse(call, new Refusal('SBX_METHOD', { field: 'method', detail: 'the path takes GET' }))
    })
    app.use('*', noteAccess(access, firstSpace, wall), (call, next) => {
      if (publicUrl != null) call.set('publicUrl', publicUrl)
      return next()
    })
    app.use('*', guardAccess(access, { name: firstSpace, madeBy: null }, host, refuse))
    app.get(metricsPath, async (call) => {
      guardOrigin(call, host)
      return call.body(await this.#registry.metrics(), 200, { 'Content-Type': this.#registry.contentType })
    })
    return app
  }

  /** A gauge that is read with each scrape: the sum of what the sandboxes count, by the values of a label. */
  #count(
    name: string,
    help: string,
    label: string,
    { sandboxes }: MetricsSource,
    counts: (state: StateSummary) => Readonly<Record<string, number>>,
  ): void {
    const registers = [this.#registry]
    const collect = () => {
      gauge.reset()
      for (const sandbox of sandboxes())
        for (const [value, count] of Object.entries(counts(summary(sandbox))))
          gauge.inc({ [label]: value }, count)
    }
    const gauge = new Gauge({ name: `tillbox_${name}`, help, labelNames: [label], registers, collect })
  }
}
