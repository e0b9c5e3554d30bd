/** What the documents state of the code. */

import { terminalEvent } from '../../src/contract/control/webhooks.ts'
import { specRecordSchema } from '../../src/contract/records.ts'

export { errorAnswer } from '../../src/cli/answer-shapes.ts'
export { commandAnswers } from '../../src/cli/command-answers.ts'
export { exitMeanings } from '../../src/cli/errors/exit-codes.ts'
export { isMomentName } from '../../src/cli/output/json-text.ts'
export { projectSchema } from '../../src/cli/settings/settings-schema.ts'
export { controls } from '../../src/contract/control/controls/controls.ts'
export { faultPresets } from '../../src/contract/control/fault-presets.ts'
export { faultKinds } from '../../src/contract/control/faults.ts'
export { likeProduction } from '../../src/contract/control/presets.ts'
export * as sandboxOptions from '../../src/contract/control/sandbox-options.ts'
export { terminalEvents } from '../../src/contract/control/webhooks.ts'
export { errorTable } from '../../src/contract/errors.ts'
export { checksOf, ruleOrder } from '../../src/contract/evidence/checks.ts'
export { evidenceKinds } from '../../src/contract/evidence/claim.ts'
export {
  claimGroups,
  claims,
  claimsAbout,
  countByKind,
  countOfOwn,
} from '../../src/contract/evidence/evidence.ts'
export { situationGroups } from '../../src/contract/exam/catalogue.ts'
export { laws } from '../../src/contract/exam/situation.ts'
export { limits } from '../../src/contract/headers.ts'
export { beginsOrder, mayBeginOrder } from '../../src/contract/operation-members.ts'
export { wholeAnswer } from '../../src/contract/operations/operation.ts'
export { operations } from '../../src/contract/operations.ts'
export { refusedEnvelope } from '../../src/contract/records.ts'
export { sessionChanges, statusRows } from '../../src/contract/statuses.ts'
export { applications, cards, outcomes } from '../../src/domain/fixtures.ts'
export { fixturesFile } from '../../src/sandbox/fixture-files/fixtures-schema.ts'
export { controlActions, otherActions, shortNamesOf } from '../../src/testing/scenario/file/actions.ts'
export { matchers } from '../../src/testing/scenario/file/match.ts'
export { scenarioFile } from '../../src/testing/scenario/file/scenario-schema.ts'
export { lawFields } from '../../src/testing/scenario/merchant/laws.ts'
export { orderMembers, serverMembers } from '../../src/testing/scenario/merchant/server-schema.ts'

/** Bodies of webhooks, by kind. */
export const webhookBodies = { 'payment-result': specRecordSchema, 'terminal-event': terminalEvent }
