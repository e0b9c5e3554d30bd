import type { Behaviour } from './sandbox-options.ts'

/** Options that decide how much the sandbox differs from the real service. */
export type ProductionSettings = Pick<Behaviour, 'terminals' | 'appIds' | 'requestIds' | 'charset' | 'extras'>

/**
 * Options of `likeProduction`, and what is known of the real service; an option that is given wins.
 * assumption: extras
 */
export const likeProduction: {
  readonly [N in keyof ProductionSettings]: {
    readonly value: ProductionSettings[N]
    readonly what: string
    readonly why: string
  }
} = {
  terminals: {
    value: 'known',
    what: 'Unknown merchants and terminals are refused. This is the default.',
    why: 'The real service does not create an unknown merchant or terminal.',
  },
  appIds: {
    value: 'known',
    what: 'An unknown appId is refused.',
    why: 'A key belongs to one application.',
  },
  requestIds: {
    value: 'uuid',
    what: 'X-Client-Request-Id must be a UUID, with or without dashes.',
    why: 'The specification says UUID; two SDKs leave out the dashes.',
  },
  charset: {
    value: 'refuse',
    what: '`Content-Type: application/json; charset=utf-8` is refused with C17 and the message `Bad Request`. A GET needs no Content-Type.',
    why: 'The real service was reported to do so. No SDK sends Content-Type on GET.',
  },
  extras: {
    value: false,
    what: 'Answers of the payment API and webhooks have no X-Sandbox headers. Answers omit the fields that only the sandbox has: `field`, `detail`, `remedy` and `others` of errors, `refundableAmount` of a query, `terminalSn` of batch-query, `batchList` of batch-close. The request headers X-Sandbox-Outcome and X-Sandbox-Fault are ignored, with a note in the request log.',
    why: 'The real service has none of them.',
  },
}

interface ChosenPresets {
  readonly strict?: boolean | undefined
  readonly likeProduction?: boolean | undefined
}

/** What the chosen presets set. `strict` also refuses what has no option of its own. */
export const presetSettings = (chosen: ChosenPresets): Partial<ProductionSettings> => ({
  ...(chosen.strict && { appIds: 'known', requestIds: 'uuid', charset: 'refuse' }),
  ...(chosen.likeProduction &&
    Object.fromEntries(Object.entries(likeProduction).map(([name, { value }]) => [name, value]))),
})

/** The presets of a sandbox, and which of their options were changed; null without one. */
export function presetText(options: ProductionSettings & ChosenPresets): string | null {
  const names = [options.strict && 'strict', options.likeProduction && 'like-production'].filter(Boolean)
  if (names.length === 0) return null
  const changed = Object.entries(presetSettings(options)).flatMap(([name, value]) => {
    const setting = options[name as keyof ProductionSettings]
    return setting === value ? [] : [`but ${name} ${setting}`]
  })
  return [names.join(' and '), ...changed].join(', ')
}
