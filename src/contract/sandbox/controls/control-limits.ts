/** Limits of the control interface, in milliseconds. */
export const controlLimits = {
  /** Longest time that an automatic terminal shows a screen. */
  pace: 10 * 60_000,
  /** Longest wait for webhooks in one request. */
  webhookWait: 10 * 60_000,
} as const
