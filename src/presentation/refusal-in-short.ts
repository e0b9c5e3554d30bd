import { capitalize } from '../text/words.ts'

/** A refusal, as far as a person reads it. */
interface ReadRefusal {
  readonly message: string
  readonly detail?: string | undefined
  readonly remedy?: string | undefined
}

/** A refusal for people: what went wrong, why, and what to do. */
interface ShortRefusal {
  readonly message: string
  readonly why: string | undefined
  readonly remedy: string | undefined
}

/** Details that repeat their message, with the name that was not found or does not fit. */
const ownSentences = [
  /^there is no /,
  /^no terminal shows /,
  /^(?:application|checkpoint|merchant|space|terminal|token) \S+ (?:has no|is not registered|exists already)\b/,
  /^the terminal \S+ was removed\b/,
  /^\S+ (?:has no payment|is automatic|is offline)\b/,
  /^'.*' cannot be the name of /s,
]

/**
 * A refusal in short: a detail that is a sentence of its own replaces the message. What follows its semicolon is the
 * reason, or begins the remedy: `did you mean approve?`, `list them: tillbox outcomes`.
 */
export function refusalInShort({ message, detail, remedy }: ReadRefusal): ShortRefusal {
  if (detail === undefined || !ownSentences.some((each) => each.test(detail)))
    return { message, why: detail, remedy }
  const [sentence = '', ...rest] = detail.split('; ')
  const why = rest.join('; ')
  const helps = /^(?:did you mean|list them)\b/.test(why)
  return {
    message: capitalize(sentence),
    why: helps ? undefined : why || undefined,
    remedy: helps ? [capitalize(why), remedy].filter(Boolean).join(why.endsWith('?') ? ' ' : '. ') : remedy,
  }
}
