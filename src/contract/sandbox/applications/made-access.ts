/** What a start made for an application that was given no key, or no webhook secret, of its own. assumption: own-keys */
export interface MadeAccess {
  readonly appId: string
  readonly apiKey?: string
  readonly webhookSecret?: string
}
