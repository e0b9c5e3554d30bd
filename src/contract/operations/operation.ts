import * as v from 'valibot'
import { named, text } from '../answer-kinds.ts'
import { unwrap } from '../member-kinds.ts'
import type { TransactionType } from '../statuses.ts'

/** A row of the table: all that server, client, commands and documents say of an operation. */
export interface Operation {
  /** Number in the specification; null if only the public SDKs have the operation. */
  readonly number: string | null
  /** The command, as it is typed. */
  readonly command: string
  readonly method: 'GET' | 'POST'
  /** A method that some SDKs use instead to look something up. */
  readonly otherMethod?: 'POST'
  readonly path: string
  readonly summary: string
  /** Where it is processed. docs/api.md#processing */
  readonly runs: 'terminal' | 'configurable' | 'cloud'
  /** Type of the transaction that it opens, if any. Each has an outcome; one at a terminal can be aborted. */
  readonly opens?: TransactionType
  /** The transaction waits for a shopper on a hosted page, and the answer names the page. */
  readonly opensPage?: true
  /** It ends a transaction or batch of another operation: its command can wait for webhooks. */
  readonly ends?: true
  /** The member that is the argument of its command, if any; the others are flags. */
  readonly argument?: 'originalTransactionId' | 'transactionId' | 'sessionId'
  /** The public SDKs do not accept the ids of the original in its answer. */
  readonly sdksRefuseOriginal?: true
  /** Members that the specification forbids here: refused, although unknown members are ignored. */
  readonly forbids?: readonly string[]
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** The members of its answer, made by `answer`. */
  readonly answer: v.GenericSchema
}

/** docs/api.md#ids-2 */
export const forbids = ['referenceOrderId']

/** A schema that requires less than the whole answer of this version, which documents describe. */
export const atLeast = <const W extends v.GenericSchema>(whole: W, least: v.GenericSchema) =>
  v.pipe(least as v.GenericSchema<unknown, v.InferOutput<W>>, v.metadata({ whole }))

/** The whole answer of this version. */
export const wholeAnswer = (answer: v.GenericSchema): v.GenericSchema =>
  (v.getMetadata(answer) as { readonly whole?: v.GenericSchema }).whole ?? answer

/**
 * An answer. A client requires only the members that `required` names: the ids and states that decide the
 * next step. Another service may leave out what is only shown. assumption: cli-answers
 */
export function answer<const E extends v.ObjectEntries>(
  name: string,
  meaning: string,
  required: readonly (keyof E & string)[],
  members: E,
) {
  const entries = required.map((member) => [member, requiredShape(members[member] as v.GenericSchema)])
  return atLeast(named(name, meaning, members), v.looseObject(Object.fromEntries(entries)))
}

/** What a client requires of a member: a list holds objects, and it or an optional member may be absent. */
function requiredShape(member: v.GenericSchema): v.GenericSchema {
  const plain = unwrap(member)
  if (plain.type === 'array')
    return v.nullish(v.array(v.looseObject({}, 'is not an object'), 'is not a list'))
  return plain === member ? member : v.nullish(plain)
}

/** An id in an answer. */
export const id = v.pipe(text, v.nonEmpty('is empty'))
