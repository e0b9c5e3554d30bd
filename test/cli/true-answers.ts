import { controls } from '../../src/contract/control/controls/controls.ts'
import type { DeliveryView } from '../../src/contract/control/webhooks.ts'
import { openapiDocument } from '../../src/contract/openapi/document.ts'
import { operations } from '../../src/contract/operations.ts'
import type { AnyJson } from '../support/any-json.ts'
import { sampleOf } from '../support/openapi/samples.ts'

const id = '1795159696581000'

/** A delivery that failed. */
export const failedDelivery: DeliveryView = {
  ...{ transactionType: 'SALE', amount: 1000, currency: 'USD', listener: false },
  ...{ id: '1', kind: 'payment', event: null, merchantId: 'M', transactionId: id, transactionStatus: 'S' },
  ...{ url: 'http://h/', state: 'failed', held: false, attempts: 1, totalAttempts: 1 },
  ...{ last: 'gone', fault: 'drop', createdAt: '2026-11-20T12:38:29Z', nextAt: null },
}

/** A notification as an event stream has it. */
export const notification = { ...failedDelivery, terminalSn: 'T', headers: {}, body: '{}' }

const document: AnyJson = openapiDocument()

/** Texts that are read, and not only shown. */
const texts = {
  ...{ url: 'http://h', baseUrl: 'http://h', checkoutUrl: 'http://h/', apiKey: 'a-key', secret: 'whsec' },
  ...{ transactionId: id, currency: 'USD', priceCurrency: 'USD', kind: 'drop' },
}

/** What a sandbox answers to everything, with every member, by operation and control; undefined for a stream. */
export const trueAnswers: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries({ ...operations, ...controls }).map(([name, { method, path }]) => {
    const described = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    const [accepted] = described.responses[200]?.content['application/json']?.schema.oneOf ?? []
    return [name, accepted && sampleOf(accepted.properties.data, texts, document)]
  }),
)
