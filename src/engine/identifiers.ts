import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Stamp } from '../domain/model/commands.ts'

/** Generates ids; tests inject their own. assumption: identifiers */
export interface Identifiers {
  /** 16 digits, greater than every earlier id. */
  transactionId(): string
  /** 6 digits. */
  authCode(): string
  /** Names a hosted page; 160 random bits. */
  sessionId(): string
  /** Names one answer in logs. */
  traceId(): string
}

/** Ids from the wall clock and random numbers. `after`: the greatest stored transactionId, or 0. */
export function createIdentifiers(wall: () => number, after: number): Identifiers {
  let last = after
  return {
    transactionId() {
      last = Math.max(last + 1, wall() * 1000)
      return String(last)
    },
    authCode: () => String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0'), // not a secret
    sessionId: () => `cs_${randomBytes(20).toString('hex')}`,
    traceId: () => randomUUID(),
  }
}

/** Letters and digits that nobody mistakes for another. */
const pairingSigns = 'ACDEFGHJKMNPQRTUVWXY34679'

/** A pairing code that is not in use: 6 characters. assumption: pairing */
export function newPairingCode(isTaken: (code: string) => boolean): string {
  const sign = () => pairingSigns.charAt(randomInt(pairingSigns.length))
  let code = ''
  do code = Array.from({ length: 6 }, sign).join('')
  while (isTaken(code))
  return code
}

/** The stamp of one command. */
export const stampOf = (identifiers: Identifiers, at: number, setBack: number): Stamp => ({
  at,
  setBack,
  transactionId: identifiers.transactionId(),
  authCode: identifiers.authCode(),
})

/** Hash that is equal for equal requests: 128 bits over operation, requested outcome and body. */
export const fingerprintOf = (operation: string, outcome: string | null, body: string): string =>
  hash('sha256', `${operation} ${outcome ?? ''} ${body}`, 'buffer').toString('base64url', 0, 16)
