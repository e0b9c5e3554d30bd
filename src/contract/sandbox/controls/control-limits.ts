/** Limits of the control interface. Times in milliseconds. */
export const controlLimits = {
  /** Longest time that an automatic terminal shows a screen. */
  pace: 10 * 60_000,
  /** Payments that one request queues an outcome for. */
  outcomeTimes: 10_000,
  /** Times that a fault hits. */
  faultTimes: 1_000_000,
  /** Longest wait for webhooks in one request. */
  webhookWait: 10 * 60_000,
  /** Retries that a listener asks for. */
  retries: 100,
  /** Longest pause between attempts that a listener asks for. */
  retryPause: 366 * 24 * 3_600_000,
  /** Acknowledged deliveries that a request waits for. */
  waitCount: 1_000_000,
  /** Notifications, or transactions, that a request names. */
  ids: 10_000,
  /** Deliveries in one answer. */
  deliveries: 99_999,
  /** Requests that a sandbox keeps. assumption: request-log */
  requests: 1_000,
} as const
