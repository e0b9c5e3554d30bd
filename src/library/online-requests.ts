import type { OtherMembers, Price } from './request-types.ts'

/** What a hosted page is opened with beside its price. */
interface SessionMembers extends OtherMembers<'create-session'> {}
export type CreateSessionRequest = SessionMembers & Price

/** What an online payment has beside its price. */
interface DirectPaymentMembers extends OtherMembers<'direct-payment'> {}
export type DirectPaymentRequest = DirectPaymentMembers & Price

/** Online requests that begin an order, by their operation. */
export interface OnlineRequests {
  readonly 'create-session': CreateSessionRequest
  readonly 'direct-payment': DirectPaymentRequest
}
