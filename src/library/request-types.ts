import type * as v from 'valibot'
import type { OperationName, operations } from '../contract/operations.ts'

/** Members that are made or known when they are left out. */
type Made =
  | 'appId'
  | 'merchantId'
  | 'terminalSn'
  | 'transactionRequestId'
  | 'referenceOrderId'
  | 'description'

/** What an operation takes. */
export type Input<N extends OperationName> = v.InferInput<(typeof operations)[N]['input']>

/** What a request has beside its amount and its original. */
export type OtherMembers<N extends OperationName> = Omit<
  RequestOf<Input<N>>,
  'amount' | 'priceCurrency' | 'originalTransactionId' | 'originalTransactionRequestId'
>

/** Amount in minor units, and its currency beside it. */
interface PlainPrice {
  readonly amount: number
  readonly priceCurrency: string
}

/** The SDKs' amount object: parts in minor units, and their currency. */
interface PricedAmount extends Omit<Extract<Input<'sale'>['amount'], object>, 'priceCurrency'> {
  readonly priceCurrency: string
}

/** An amount object in place of a plain amount. */
interface NestedPrice {
  readonly amount: PricedAmount
  readonly priceCurrency?: string | null | undefined
}

/** An amount with its currency. */
export type Price = PlainPrice | NestedPrice

/** A request, where what is made or known may be left out. */
export type RequestOf<T> = Omit<T, Made> & { [M in keyof T & Made]?: T[M] | undefined }
