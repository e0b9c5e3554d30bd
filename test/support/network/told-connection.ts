import type { Connection } from '../../../src/contract/control/control-answers.ts'

/** What a server that stands in for a sandbox answers to `connection`. */
export const toldConnection: Connection = {
  ...{ url: 'http://h', id: 'i', port: 1, pid: 1, apiKey: 'a-key', appId: 'A', merchantId: 'M' },
  ...{ terminals: [], state: '/none', notifyUrl: null, forwardTo: null, publicUrl: null },
  ...{ preset: null, runs: 'foreground', logFile: null },
}
