import { Refusal } from '../contract/errors.ts'

/** What the system says when it does not write, in words. `folder`: the state folder. */
const reasons: Readonly<Record<string, (folder: string) => readonly [why: string, remedy: string]>> = {
  ENOSPC: (folder) => [`the disk of ${folder} is full`, `Free space on the disk of ${folder}`],
  EDQUOT: (folder) => [
    `the disk quota for ${folder} is used up`,
    `Free space of the quota, or have it raised, for ${folder}`,
  ],
  EROFS: (folder) => [`the disk of ${folder} is read-only now`, `Mount the disk of ${folder} for writing`],
  EIO: (folder) => [`the disk of ${folder} failed`, `Check the disk of ${folder}`],
  EACCES: (folder) => [`${folder} may not be written`, `Give this user the right to write in ${folder}`],
}

/**
 * A refusal for a failed write with its reason and its remedy in words; any other refusal as it is. The same ids may
 * be sent again: a request that was not stored has used none up. assumption: failed-write
 */
export function explained(refusal: Refusal, folder: string): Refusal {
  const code = /^E[A-Z]+(?=: )/.exec(refusal.detail ?? '')?.[0] ?? ''
  const reason = refusal.code === 'SBX_STORE_FAIL' ? reasons[code]?.(folder) : undefined
  if (reason === undefined) return refusal
  const [detail, first] = reason
  const remedy = `${first}, then send the request again with the same ids: nothing was stored`
  return new Refusal('SBX_STORE_FAIL', { field: refusal.field, detail, remedy })
}
