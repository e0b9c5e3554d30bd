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
import type { Access } from '../access/access.ts'
import { metricsPath } from '../access/grants.ts'
import { errorTable, Refusal } from '../contract/errors.ts'
import type { StateSummary } from '../contract/sandbox/control-answers.ts'
import { firstSpace } from '../contract/sandbox/spaces.ts'
import { guardAccess } from '../http/access/guard-access.ts'
import { noteAccess } from '../http/access/note-access.ts'
import type { Call, Env } from '../http/call.ts'
import { refused } from '../http/envelope.ts'
import type { FaultAnswers } from '../http/http-faults.ts'
import { guardOrigin } from '../http/origin.ts'
import { packageVersion } from '../package-root.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { summary } from '../views/views.ts'

/** What the metrics of a server are read from, and who may read them. */
export interface MetricsSource {
  readonly access: Access
  /** Address that the server is bound to, as in a URL. */
  readonly host: string
  readonly publicUrl: string | null
  readonly wall: () => number
  /** Every sandbox in memory. */
  readonly sandboxes: () => readonly Pick<Sandbox, 'engine'>[]
  readonly answers: FaultAnswers
}

/** The metrics of a server, with all its spaces. */
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
  }

  /** Counts a handled request. Pages, the control interface and unknown paths are the operation `other`. */
  count({ operation, code, durationMs }: LoggedRequest): void {
    this.#requests.inc({ operation: operation ?? 'other', code })
    this.#durations.observe({ operation: operation ?? 'other' }, durationMs / 1000)
  }

  /** Makes what answers `GET /metrics` in OpenMetrics 1.0. assumption: metrics */
  open(source: MetricsSource): RequestListener {
    collectDefaultMetrics({ register: this.#registry })
    this.#readStates(source.sandboxes)
    const { access, host, publicUrl, wall, answers } = source
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
      if (publicUrl !== null) call.set('publicUrl', publicUrl)
      return next()
    })
    app.use('*', guardAccess(access, { name: firstSpace, madeBy: null }, host, refuse))
    app.get(metricsPath, async (call) => {
      guardOrigin(call, host)
      return call.body(await this.#registry.metrics(), 200, { 'Content-Type': this.#registry.contentType })
    })
    return getRequestListener(app.fetch)
  }

  /** Gauges that are read with each scrape. */
  #readStates(sandboxes: MetricsSource['sandboxes']): void {
    const registers = [this.#registry]
    new Gauge({
      name: 'tillbox_build',
      help: 'Always 1; the version of tillbox',
      labelNames: ['version'],
      registers,
    }).set({ version: packageVersion() }, 1)
    new Gauge({
      name: 'tillbox_spaces_in_memory',
      help: 'Spaces that this process has in memory',
      registers,
      collect() {
        this.set(sandboxes().length)
      },
    })
    const countOf = (name: string, help: string, label: string, counts: (state: StateSummary) => object) =>
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const sandbox of sandboxes())
            for (const [value, count] of Object.entries(counts(summary(sandbox))))
              this.inc({ [label]: value }, count)
        },
      })
    countOf(
      'tillbox_transactions',
      'Transactions of the spaces in memory, by status',
      'status',
      ({ byStatus }) => byStatus,
    )
    countOf(
      'tillbox_webhook_deliveries',
      'Deliveries of webhooks of the spaces in memory, by state',
      'state',
      ({ webhooks }) => webhooks,
    )
  }
}
