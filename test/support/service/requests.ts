import { randomUUID } from 'node:crypto'
import { operations } from '../../../src/contract/operations.ts'
import { newId } from './new-id.ts'

/** Parts of requests of the payment API. */

export const salePath = operations.sale.path

export const requestIdHeader = 'X-Client-Request-Id'

/** A header with a request id of its own. */
export const newRequestIdHeader = (): Record<string, string> => ({ [requestIdHeader]: randomUUID() })

/** The header by which the SDK for Python is known. */
export const pythonSdkHeader = { 'User-Agent': 'SunbayNexusSDK-Python/1.0.14 Python/3.11.2 Linux/6.1.0' }

/** A batch close as the specification shapes it; left out, of all batches. */
export const batchClose = (more: object = {}): object => ({ transactionRequestId: newId('CLOSE'), ...more })
