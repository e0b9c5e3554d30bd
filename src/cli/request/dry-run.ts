import { boolean } from '@oclif/core/flags'

/** Flags that show a request in place of sending it. `looksUp`: it needs the currency of an original. */
export const dryRunFlags = (looksUp: boolean) => ({
  'dry-run': boolean({
    description: `Print the request instead of sending it${looksUp ? '; the original is looked up for its currency' : ''}.`,
    helpGroup: 'REQUEST',
    exclusive: ['curl'],
  }),
  curl: boolean({
    description:
      'Print the request as a curl command, and send nothing. The API key is the variable TILLBOX_API_KEY; the sandbox’s ' +
      'public built-in key is written out.',
    helpGroup: 'REQUEST',
  }),
})

/** Flags as they were typed. */
export type Flags = Readonly<Record<string, unknown>>

/** True when the request is only shown. */
export const isDryRun = (flags: Flags): boolean => flags['dry-run'] === true || flags.curl === true
