import type * as v from 'valibot'
import type { OperationName, operations } from '../contract/operations.ts'

/** Members that the client generates or knows when they are absent. */
type GeneratedMember =
  | 'appId'
  | 'merchantId'
  | 'terminalSn'
  | 'transactionRequestId'
  | 'referenceOrderId'
  | 'description'

/** The input of an operation. */
export type Input<N extends OperationName> = v.InferInput<(typeof operations)[N]['input']>

/** Fields of a request besides its amount and its original. */
export type OtherMembers<N extends OperationName> = Omit<
  RequestOf<Input<N>>,
  'amount' | 'priceCurrency' | 'originalTransactionId' | 'originalTransactionRequestId'
>

/** Amount in minor units, and its currency beside it. */
interface PlainPrice {
  readonly amount: number
  readonly priceCurrency: string
}

/** The SDKs' amount object: its parts in minor units, and their currency. */
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

/** A request whose generated or known fields are optional. */
export type RequestOf<T> = Omit<T, GeneratedMember> & { [M in keyof T & GeneratedMember]?: T[M] | undefined }
