/**
 * What must hold: a row's ratio is at `least` or at `most` so much, in the unit of the row. Throughput counts by the
 * processor time of the main thread (…ByTime) and by rate (…ByRate).
 */
export const bars = {
  saleByTime: { least: 0.45 },
  saleByRate: { least: 0.45 },
  queryByTime: { least: 0.9 },
  queryByRate: { least: 0.9 },
  sessionByTime: { least: 0.35 },
  sessionByRate: { least: 0.35 },
  fullByTime: { least: 0.9 },
  fullByRate: { least: 0.9 },
  saleLatency: { most: 4 },

  receiver: { most: 1.1 },
  deliveries: { least: 2_000 },
  pendingStart: { most: 1.5 },
  catchUp: { most: 2 },

  start100000: { most: 0.5 },
  start1000000: { most: 5 },
  memory: { most: 0.6 },

  windows: { least: 0.9 },
  dashboard: { most: 1.2 },

  help: { most: 1.95 },
  saleCommand: { most: 2.3 },
  ready: { most: 2.5 },
  createSandbox: { most: 10 },
}
