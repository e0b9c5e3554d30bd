import type { WhyAnswer, WhyStep } from '../control/why-answers.ts'

/** Options of a sandbox, as a file says them. */
export type RecordedSettings = Readonly<Record<string, unknown>>

/** An answer of the service that differs from that of a sandbox, as `tillbox drift --accept` keeps it. */
export interface RecordedClaim {
  /**
   * The operation, or the code with which the sandbox refuses; `refusals` for their HTTP status, `answers`
   * for what each answer has.
   */
  readonly of: string
  readonly where: string
  /** Both answers by type and code, never by their texts. */
  readonly sandbox: string
  readonly service: string
  /** Name of the claim that it contradicts. */
  readonly claim: string
  /** With it the sandbox answers as the service; left out, there is none. */
  readonly setting?: RecordedSettings | undefined
  /** When the service answered so. ISO 8601. */
  readonly recorded: string
  /** The name of the recording's file, or of the scenario's with that of the service. */
  readonly from: string
}

/** What the service does otherwise, as far as a sandbox has settings for it. */
export const settingsOf = (recorded: readonly RecordedClaim[]): RecordedSettings =>
  Object.assign({}, ...recorded.map(({ setting }) => setting))

/** Settings as `--set` takes them. */
export const settingText = (setting: RecordedSettings): string =>
  Object.entries(setting)
    .map(([name, value]) => `--set ${name}=${value}`)
    .join(' ')

/**
 * Why an answer is as it is, with what was recorded beside the claims that decided it. `about`: operations
 * and codes of which the rest is told, too.
 */
export function withRecorded(
  { steps, claims, ...answer }: WhyAnswer,
  recorded: readonly RecordedClaim[],
  about: readonly string[],
): WhyAnswer {
  const deciding = steps.filter(({ result }) => result !== 'passed').flatMap((step) => step.claims)
  const isShown = ({ claim }: RecordedClaim) => steps.length === 0 || deciding.includes(claim)
  const beside = (name: string) => recorded.filter((each) => each.claim === name && isShown(each))
  const isOtherCheck = ({ where }: RecordedClaim) => where === 'code' && deciding.length > 0
  const rest = recorded.filter((each) => about.includes(each.of) && !isShown(each) && !isOtherCheck(each))
  return {
    ...answer,
    steps: [
      ...steps.map((step) => {
        const names = step.claims.flatMap((name) => [name, ...beside(name).map(nameOf)])
        return step.result === 'passed' ? step : { ...step, claims: [...new Set(names)] }
      }),
      ...rest.map((each): WhyStep => {
        return {
          what: `${each.where}: ${sidesOf(each)}`,
          result: 'noted',
          detail: null,
          claims: [nameOf(each)],
        }
      }),
    ],
    claims: [
      ...claims.flatMap((claim) => [claim, ...beside(claim.name).map(evidenceOf)]),
      ...rest.map(evidenceOf),
    ],
  }
}

const nameOf = ({ of, where }: RecordedClaim): string => `${of} ${where}`.trim()

/** Both answers, as the rest of a sentence. */
export const sidesOf = ({ sandbox, service }: RecordedClaim): string =>
  `${service} at the service, ${sandbox} in the sandbox`

const evidenceOf = (each: RecordedClaim): WhyAnswer['claims'][number] => ({
  name: nameOf(each),
  kind: 'recorded',
  says: `${sidesOf(each)}.`,
  source: `${each.from}, ${each.recorded.slice(0, 10)}`,
  setting: each.setting === undefined ? null : settingText(each.setting),
})
