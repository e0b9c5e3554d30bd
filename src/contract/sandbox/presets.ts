/** Settings of a start that decide how much the sandbox differs from the real service. */
export interface ProductionSettings {
  /** Whether a request may name only existing merchants and terminals, or registers others on first use. */
  readonly terminals: 'known' | 'open'
  /** Whether an unknown appId is refused, or taken as the key's application. */
  readonly appIds: 'known' | 'any'
  /** Form of X-Client-Request-Id. assumption: request-id-form */
  readonly requestIds: 'uuid' | 'any'
  /** How `application/json; charset=utf-8` is handled. assumption: content-type */
  readonly charset: 'refuse' | 'note'
  /** Whether the payment API has the sandbox's own headers and members. assumption: extras */
  readonly extras: boolean
}

type Presets<S> = {
  readonly [N in keyof S]: {
    readonly value: S[N]
    /** The flag of `sandbox start` that sets it. */
    readonly flag: string
    readonly what: string
    /** What is known of the real service, or assumed. */
    readonly why: string
  }
}

/** Settings of `--like-production`; an explicit setting wins. assumption: like-production */
export const likeProduction: Presets<ProductionSettings> = {
  terminals: {
    value: 'known',
    flag: '--terminals known',
    what: 'Unknown merchants and terminals are refused; this is the default.',
    why: 'The real service registers nothing on first sight.',
  },
  appIds: {
    value: 'known',
    flag: '--app-ids known',
    what: 'An unknown appId is refused.',
    why: 'A key belongs to one application.',
  },
  requestIds: {
    value: 'uuid',
    flag: '--request-ids uuid',
    what: 'X-Client-Request-Id must be a UUID, with or without dashes.',
    why: 'The specification says UUID; two SDKs leave out the dashes.',
  },
  charset: {
    value: 'refuse',
    flag: '--charset refuse',
    what: '`Content-Type: application/json; charset=utf-8` is refused with C17 and the message `Bad Request`. A GET needs no Content-Type.',
    why: 'The real service was reported to do so. No SDK sends Content-Type on GET.',
  },
  extras: {
    value: false,
    flag: '--no-extras',
    what: 'Answers of the payment API have no X-Sandbox headers and no fields of ours: `field`, `detail` and `remedy` of errors, `refundableAmount` of a query, `terminalSn` of batch-query, `batchList` of batch-close. X-Sandbox-Outcome and X-Sandbox-Fault of requests are ignored with a note in the request log.',
    why: 'The real service has none of them.',
  },
}

type PresetSetting = keyof ProductionSettings
const rows = Object.entries(likeProduction) as [PresetSetting, Presets<ProductionSettings>[PresetSetting]][]

/** The values of `likeProduction`. */
export const likeProductionSettings: ProductionSettings = {
  terminals: likeProduction.terminals.value,
  appIds: likeProduction.appIds.value,
  requestIds: likeProduction.requestIds.value,
  charset: likeProduction.charset.value,
  extras: likeProduction.extras.value,
}

/** The flags that `--like-production` stands for. */
export const likeProductionFlags: readonly string[] = rows.map(([, { flag }]) => flag)

/** The preset of a sandbox, and which of its settings were changed; null without one. */
export function presetText(
  options: ProductionSettings & { readonly likeProduction: boolean },
): string | null {
  if (!options.likeProduction) return null
  const others = rows.filter(([name, { value }]) => options[name] !== value).map(([, { flag }]) => flag)
  return ['like-production', ...others.map((flag) => `without ${flag}`)].join(', ')
}
