/** What the documents state of the code. */

import { specRecordSchema } from '../../src/contract/records.ts'
import { terminalEvent } from '../../src/contract/sandbox/webhooks.ts'

export { errorAnswer } from '../../src/cli/answer-shapes.ts'
export { commandAnswers } from '../../src/cli/command-answers.ts'
export { exitMeanings } from '../../src/cli/errors/exit-codes.ts'
export { isMomentName } from '../../src/cli/output/json-text.ts'
export { projectSchema } from '../../src/cli/settings/settings-schema.ts'
export { errorTable } from '../../src/contract/errors.ts'
export { limits } from '../../src/contract/headers.ts'
export { beginsOrder } from '../../src/contract/operation-members.ts'
export { wholeAnswer } from '../../src/contract/operations/operation.ts'
export { operations } from '../../src/contract/operations.ts'
export { refusedEnvelope } from '../../src/contract/records.ts'
export { controls } from '../../src/contract/sandbox/controls/controls.ts'
export { faultPresets } from '../../src/contract/sandbox/fault-presets.ts'
export { faultKinds } from '../../src/contract/sandbox/faults.ts'
export { likeProduction } from '../../src/contract/sandbox/presets.ts'
export * as sandboxOptions from '../../src/contract/sandbox/sandbox-options.ts'
export { terminalEvents } from '../../src/contract/sandbox/webhooks.ts'
export { sessionChanges, statusRows } from '../../src/contract/statuses.ts'
export { situationGroups, situations } from '../../src/coverage/situations.ts'
export { fixturesFile } from '../../src/fixture-files/fixtures-schema.ts'
export { applications, cards, outcomes } from '../../src/fixtures.ts'
export { controlActions, otherActions, shortNamesOf } from '../../src/scenario/file/actions.ts'
export { matchers } from '../../src/scenario/file/match.ts'
export { scenarioFile } from '../../src/scenario/file/scenario-schema.ts'
export { laws } from '../../src/scenario/merchant/laws.ts'
export { orderMembers, serverMembers } from '../../src/scenario/merchant/server-schema.ts'

/** Bodies of webhooks, by kind. */
export const webhookBodies = { 'payment-result': specRecordSchema, 'terminal-event': terminalEvent }
