import { errorTable, Refusal } from '../contract/errors.ts'

/** Reasons for failed writes, by system code, with remedies. `folder`: the state folder. */
const reasons: Readonly<Record<string, (folder: string) => readonly [why: string, remedy: string]>> = {
  ENOSPC: (folder) => [`the disk of ${folder} is full`, `Free up space on the disk of ${folder}`],
  EDQUOT: (folder) => [
    `the disk quota for ${folder} is used up`,
    `Free up space, or have the quota for ${folder} raised`,
  ],
  EROFS: (folder) => [`the disk of ${folder} is read-only now`, `Mount the disk of ${folder} for writing`],
  EIO: (folder) => [`the disk of ${folder} failed`, `Check the disk of ${folder}`],
  EACCES: (folder) => [`${folder} may not be written`, `Give this user the right to write in ${folder}`],
}

/**
 * A refusal for a failed write with its reason and remedy in words; any other refusal unchanged. The same ids may be
 * sent again: a request that was not stored has used up none. `isLook`: the request was a look-up.
 * assumption: failed-write
 */
export function explainStoreFailure(refusal: Refusal, folder: string, isLook: boolean): Refusal {
  if (refusal.code !== 'SBX_STORE_FAIL') return refusal
  const code = /^E[A-Z]+(?=: )/.exec(refusal.detail ?? '')?.[0] ?? ''
  const [detail, first] = reasons[code]?.(folder) ?? []
  if (isLook) return lookUpRefusal(refusal, detail, first)
  if (first === undefined) return refusal
  const remedy = `${first}, then send the request again with the same ids: nothing was stored`
  return new Refusal('SBX_STORE_FAIL', { field: refusal.field, detail, remedy })
}

/** What to do about a look-up, where the error behind its refusal says what mends it, and where it does not. */
function askAgain({ cause }: Refusal): string {
  const { remedy } = (cause ?? {}) as { readonly remedy?: string }
  return remedy === undefined
    ? 'Ask again in a second: a look-up changes nothing'
    : `${remedy}. Then ask again`
}

/**
 * The refusal of a look-up for a failed write, which had nothing to write; a refusal with its own sentence, and any
 * other, is unchanged. `first`: what to do before sending it again.
 */
export function lookUpRefusal(refusal: Refusal, why = refusal.detail, first?: string): Refusal {
  const { code, field, message } = refusal
  if (code !== 'SBX_STORE_FAIL' || message !== errorTable[code].message) return refusal
  return new Refusal('SBX_STORE_FAIL', {
    field,
    detail: why,
    message: 'The sandbox cannot read its state at the moment, so there is no answer',
    remedy: first === undefined ? askAgain(refusal) : `${first}, then ask again`,
  })
}
