import type * as v from 'valibot'
import { described, list, named, shape, text, textOrNull, word } from '../answer-kinds.ts'

const step = shape({
  what: described(text, 'What holds, or what was decided'),
  result: word(['passed', 'refused', 'decided', 'noted']),
  detail: described(textOrNull, 'The values of this case'),
  claims: described(list(text), 'Names of the claims it rests on'),
})
export type WhyStep = v.InferOutput<typeof step>

const evidence = shape({
  name: text,
  kind: described(text, 'specification, public, recorded or assumption'),
  says: text,
  source: described(text, 'Section, SDK or document with its version, or the reason of a choice'),
  setting: described(textOrNull, 'What changes it'),
})

export const whyAnswer = named(
  'WhyAnswer',
  'Answer of `why`: the rules that decided, in their order, and how each is known',
  {
    about: described(text, 'What was asked about'),
    summary: text,
    remedy: textOrNull,
    steps: list(step),
    claims: described(list(evidence), 'Those that the steps name, each once'),
  },
)
export type WhyAnswer = v.InferOutput<typeof whyAnswer>
