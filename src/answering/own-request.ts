import type { OperationName } from '../contract/operations.ts'

/** A request that a person makes on a page of the sandbox. */
export interface OwnRequest {
  readonly operation: OperationName
  readonly appId: string
  readonly merchantId: string
  /** Members of the body other than appId and merchantId. */
  readonly members: Readonly<Record<string, unknown>>
  /** Outcome by name; null for none. */
  readonly outcome: string | null
  /** URL of the sandbox as the person reached it. */
  readonly baseUrl: string
}
