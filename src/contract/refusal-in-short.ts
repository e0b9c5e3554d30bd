import { capitalize } from '../text/capitalize.ts'

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
  /^there is (?:no|a) /,
  /^no terminal shows /,
  /^(?:application|merchant|terminal) \S+ (?:has no|is not registered|exists already)\b/,
  /^the terminal \S+ was removed\b/,
  /^\S+ (?:has no payment|is automatic|is offline)\b/,
  /^'.*' cannot be the name of /s,
]

/**
 * A refusal in short: a detail that is a sentence of its own replaces the message. What follows its semicolon is the
 * reason, or a question such as `did you mean approve?`, which begins the remedy.
 */
export function refusalInShort({ message, detail, remedy }: ReadRefusal): ShortRefusal {
  if (detail === undefined || !ownSentences.some((each) => each.test(detail)))
    return { message, why: detail, remedy }
  const [sentence = '', ...rest] = detail.split('; ')
  const why = rest.join('; ')
  const isQuestion = why.startsWith('did you mean')
  return {
    message: capitalize(sentence),
    why: isQuestion ? undefined : why || undefined,
    remedy: isQuestion ? [capitalize(why), remedy].filter(Boolean).join(' ') : remedy,
  }
}
