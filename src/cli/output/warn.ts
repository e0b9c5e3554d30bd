import { hint } from '../hints/same-sandbox.ts'
import { clean } from './clean.ts'

/** Tells a person something in one line of standard error; its commands act on the same sandbox. */
export const warn = (text: string): void => {
  process.stderr.write(`! ${hint(clean(text))}\n`)
}
