/** Where notifications go. Deliveries to one endpoint are in order. */
export interface Endpoint {
  readonly url: string
  /** Name of the machine on which `tillbox listen` posts to the URL; absent: the sandbox posts. */
  readonly listener?: string | undefined
}

/** Names an endpoint of a merchant: a URL has no space. */
export const endpointKey = ({ url, listener }: Endpoint): string =>
  listener === undefined ? url : `${listener} ${url}`
