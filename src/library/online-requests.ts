import type { OtherMembers, Price } from './request-types.ts'

/** Fields of a hosted page besides its price. */
interface SessionMembers extends OtherMembers<'create-session'> {}
export type CreateSessionRequest = SessionMembers & Price

/** Fields of an online payment besides its price. */
interface DirectPaymentMembers extends OtherMembers<'direct-payment'> {}
export type DirectPaymentRequest = DirectPaymentMembers & Price

/** Online requests that begin an order, by their operation. */
export interface OnlineRequests {
  readonly 'create-session': CreateSessionRequest
  readonly 'direct-payment': DirectPaymentRequest
}
