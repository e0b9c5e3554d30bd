import type { ErrorCode } from '../errors.ts'
import type { limits } from '../headers.ts'
import type { OperationName } from '../operations.ts'
import type { statusChanges } from '../statuses.ts'

/** Where a claim comes from, the most reliable first. */
export const evidenceKinds = {
  specification: "the service's specification, by its section",
  public: "the service's public SDKs and documents",
  recorded: 'an answer that was recorded at the service',
  assumption: 'a choice of tillbox, where these sources say nothing',
} as const
export type EvidenceKind = keyof typeof evidenceKinds

/** What a claim is about, by the names in the tables of the contract. */
export interface Covers {
  readonly errors?: readonly ErrorCode[]
  readonly headers?: readonly string[]
  /** Members of requests. */
  readonly fields?: readonly string[]
  /** Members of the transaction record. */
  readonly record?: readonly string[]
  /** Members of every answer, around `data`. */
  readonly envelope?: readonly string[]
  /** Operations whose answers it describes: each of their members. Others answer with a part of a record. */
  readonly answers?: readonly OperationName[]
  /** Changes of a status, by their cause. */
  readonly steps?: readonly (keyof typeof statusChanges)[]
  readonly limits?: readonly (keyof typeof limits)[]
}

/** What a claim says beside itself. */
interface Details extends Covers {
  /** The operations that it is about; left out, every one. */
  readonly of?: readonly OperationName[]
  /** Errors that its setting does not change. */
  readonly unchanged?: readonly ErrorCode[]
  /** What the sandbox adds to a rule of the specification. */
  readonly adds?: string
}

/** One thing that tillbox holds of the service, and how it is known. Texts are Markdown of docs/. */
export interface Claim extends Details {
  readonly kind: EvidenceKind
  readonly says: string
  /** The section, the SDK or document with its version, or the reason of a choice. */
  readonly source: string
  /** What changes it; null for nothing. */
  readonly setting: string | null
}

const claimOf =
  (kind: EvidenceKind) =>
  (says: string, source: string, setting: string | null = null, details: Details = {}): Claim => ({
    kind,
    says,
    source,
    setting,
    ...details,
  })

/** A choice. */
export const assumption = claimOf('assumption')

/** What SDKs or documents of the service show. */
export const published = claimOf('public')

/** What a section of the specification says. */
export const specified = (source: string, says: string, details: Details = {}): Claim =>
  claimOf('specification')(says, source, null, details)
