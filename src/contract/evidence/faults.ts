import { assumption } from './claim.ts'

/** Faults of answers. */
export const faults = {
  'api-faults': assumption(
    'A fault of an answer acts [before anything happens, or after the request is ' +
      'stored](faults.md#kinds). It acts [once by default](faults.md#how-often). `partial-settlement` ' +
      'closes the first channel with transactions, or the named one. `outcome` acts only on requests that ' +
      'open a transaction. Latency comes after storing, so the payment exists even if the client gives up.',
    'A lost answer is the hardest case for a client. The service does not document how a settlement fails.',
    '`tillbox sandbox fault`, header X-Sandbox-Fault',
    {
      errors: ['SBX_INJECTED', 'SBX_FAULT', 'SBX_FAULT_NONE', 'SBX_FAULTS_FULL', 'SBX_SETTLE_FAIL'],
      unchanged: ['SBX_FAULT', 'SBX_FAULT_NONE', 'SBX_FAULTS_FULL'],
      headers: ['X-Sandbox-Fault'],
    },
  ),
}
