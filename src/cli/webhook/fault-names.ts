import { faultShares } from '../../contract/sandbox/fault-shares.ts'

const kinds = new Map(Object.entries(faultShares).map(([member, { kind }]) => [member, kind]))

/** The faults of a delivery as they are typed: `duplicate, bad-signature`, where the answer has `badSignature`. */
export const faultNames = (fault: string): string =>
  fault
    .split(', ')
    .map((name) => kinds.get(name) ?? name)
    .join(', ')
