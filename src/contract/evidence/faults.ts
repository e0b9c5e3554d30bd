import { assumption } from './claim.ts'

/** Faults of answers. */
export const faults = {
  'api-faults': assumption(
    'A fault of an answer acts [before anything happens, or once the request is stored](faults.md#kinds), ' +
      'and hits [once by default](faults.md#how-often). `partial-settlement` closes the first channel that ' +
      'holds transactions, or the one that is named; `outcome` is for requests that open a transaction. ' +
      'Latency comes after storing, so a client that gives up has a payment.',
    'The lost answer is what hurts a client. How the service fails to settle is not shown.',
    '`tillbox sandbox fault`, header X-Sandbox-Fault',
    {
      errors: ['SBX_INJECTED', 'SBX_FAULT', 'SBX_FAULT_NONE', 'SBX_FAULTS_FULL', 'SBX_SETTLE_FAIL'],
      unchanged: ['SBX_FAULT', 'SBX_FAULT_NONE', 'SBX_FAULTS_FULL'],
      headers: ['X-Sandbox-Fault'],
    },
  ),
}
