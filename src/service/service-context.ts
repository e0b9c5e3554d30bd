import type { ProductionSettings } from '../contract/sandbox/presets.ts'
import type { DuplicateMode } from '../domain/rules/duplicates.ts'
import type { Directory } from '../engine/directory.ts'
import type { Engine } from '../engine/engine.ts'
import type { Identifiers } from '../engine/identifiers.ts'
import type { ReadableClock } from '../engine/sandbox-clock.ts'
import type { Catalogue } from '../fixtures.ts'
import type { TargetRules } from '../webhooks/webhook-target.ts'

/** What the payment service works with. */
export interface ServiceContext {
  readonly webhookLimits: TargetRules
  readonly catalogue: Catalogue
  readonly engine: Engine
  readonly directory: Directory
  readonly clock: ReadableClock
  readonly identifiers: Identifiers
  readonly options: ProductionSettings & {
    /** Refuses what the specification does not show, instead of accepting it with a note. */
    readonly strict: boolean
    /** Content-Type is required on GET as well. */
    readonly strictContentType: boolean
    readonly duplicates: DuplicateMode
  }
}
