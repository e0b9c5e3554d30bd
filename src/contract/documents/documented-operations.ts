import { type ErrorCode, errorTable } from '../errors.ts'
import {
  type DescribedOperation,
  dereferenced,
  openapiDocument,
  type Parameter,
  type Schema,
} from '../openapi/document.ts'

/** An operation, or a webhook, as the document has it. */
export interface DocumentedOperation {
  readonly id: string
  readonly tag: string
  /** In capitals; `POST` for a webhook, too. */
  readonly method: string
  /** With names in braces; null for a webhook, which goes to an address of the merchant. */
  readonly path: string | null
  readonly operation: DescribedOperation
}

/** Every operation and webhook, in the order of the document. */
export function documentedOperations(): readonly DocumentedOperation[] {
  const { paths = {}, webhooks = {} } = openapiDocument()
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationEntry(method, path, operation)),
    ),
    ...Object.values(webhooks).flatMap((methods) =>
      Object.entries(methods).map(([method, operation]) => operationEntry(method, null, operation)),
    ),
  ]
}

const operationEntry = (
  method: string,
  path: string | null,
  operation: DescribedOperation,
): DocumentedOperation => ({
  id: operation.operationId,
  tag: path === null ? 'Webhooks' : (operation.tags[0] ?? ''),
  method: method.toUpperCase(),
  path,
  operation,
})

/** A member of a request, an answer or a body. */
interface Member {
  /** Its path: `amount.orderAmount`, `productList[].name`. */
  readonly path: string
  readonly type: string
  /** What a value must keep to; empty for none. */
  readonly limits: string
  readonly meaning: string
  readonly isRequired: boolean
}

/** What a request takes, by its place; empty lists where it takes nothing. */
function requestMembersOf({ parameters, requestBody }: DescribedOperation) {
  const all = parameters.map(dereferenced)
  const [media] = Object.values(requestBody?.content ?? {})
  const membersAt = (where: Parameter['in']) => all.filter((each) => each.in === where).map(memberOfParameter)
  return {
    path: membersAt('path'),
    query: membersAt('query'),
    body: media === undefined ? [] : documentedMembersOf(media.schema),
  }
}

function memberOfParameter({ name, schema, required = false, description = '' }: Parameter): Member {
  const [member] = documentedMembersOf({ type: 'object', properties: { [name]: schema } })
  return {
    path: name,
    type: typeInWords(schema),
    limits: member?.limits ?? '',
    meaning: description,
    isRequired: required,
  }
}

/** The members of the answer to an accepted request; none for an answer that is no JSON. */
function answerMembersOf({ responses }: DescribedOperation): readonly Member[] {
  const [media] = Object.values(responses['200']?.content ?? {})
  const schema = media?.schema.oneOf?.[0]
  return schema === undefined ? [] : documentedMembersOf(schema)
}

/** Codes that an operation is refused with by its own rules. */
function refusalCodes({ responses }: DescribedOperation): readonly ErrorCode[] {
  const all = Object.values(responses).flatMap((each) => {
    const { schema } = dereferenced(each).content?.['application/json'] ?? {}
    return [...errorCodesIn(schema), ...errorCodesIn(schema?.oneOf?.[1])]
  })
  return [...new Set(all)].filter((code) => errorTable[code].kind === 'business')
}

/** Codes that a schema of a refusal names. */
const errorCodesIn = (schema: Schema | undefined): readonly ErrorCode[] =>
  (schema?.allOf ?? []).flatMap(({ properties }) => (properties?.code?.enum ?? []) as readonly ErrorCode[])

/** The members of a schema at any depth; one that holds itself is listed once. */
export function documentedMembersOf(
  schema: Schema,
  before = '',
  above: readonly string[] = [],
): readonly Member[] {
  const { $ref } = schema
  if ($ref !== undefined && above.includes($ref)) return []
  const within = $ref === undefined ? above : [...above, $ref]
  const { properties = {}, required = [], items, ...rest } = dereferenced(schema)
  const direct = Object.entries(properties).flatMap(([name, each]) => {
    const path = `${before}${name}`
    const inner = documentedMembersOf(each, `${path}${isList(each) ? '[]' : ''}.`, within)
    return [documentedMember(path, each, required.includes(name)), ...inner]
  })
  const [choices] = [rest.oneOf, rest.anyOf].filter((each) => each !== undefined)
  const chosen = (choices ?? []).flatMap((each) => documentedMembersOf(each, before, within))
  const inList = items === undefined ? [] : documentedMembersOf(items, before, within)
  return [...new Map([...inList, ...chosen, ...direct].map((each) => [each.path, each])).values()]
}

const documentedMember = (path: string, schema: Schema, isRequired: boolean): Member => ({
  path,
  type: typeInWords(schema),
  limits: limitsInWords(schema),
  meaning: schema.description ?? dereferenced(schema).description ?? '',
  isRequired,
})

const isList = (schema: Schema): boolean => {
  const { type, anyOf = [] } = dereferenced(schema)
  return type === 'array' || (anyOf.length > 0 && anyOf.every((each) => dereferenced(each).type === 'array'))
}

/** Type in words: `integer or object`, `list of string`, `string or null`. */
function typeInWords(schema: Schema): string {
  const { type, items, anyOf, oneOf, const: value, format } = dereferenced(schema)
  const choices = anyOf ?? oneOf
  if (choices !== undefined && type === undefined) return [...new Set(choices.map(typeInWords))].join(' or ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeInWords(items)}`
  if (type === undefined) return value === undefined ? 'any' : typeof value
  const words = typeof type === 'string' ? [type] : type.toSorted((one) => (one === 'null' ? 1 : -1))
  return words.map((word) => (word === 'string' && format !== undefined ? format : word)).join(' or ')
}

/** What a value must keep to. */
function limitsInWords(schema: Schema): string {
  const { enum: words, const: value, minimum, maximum, minLength, maxLength, maxItems } = dereferenced(schema)
  const texts = [
    words?.filter((word) => word !== null).join(', '),
    value === undefined ? undefined : JSON.stringify(value),
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? 'not empty' : range(minLength, maxLength, ' characters'),
    range(undefined, maxItems, ' entries'),
  ]
  return texts.filter(Boolean).join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const show = (count: number) => count.toLocaleString('en-US') + unit
  if (least !== undefined && most !== undefined) return `${least.toLocaleString('en-US')} to ${show(most)}`
  if (most !== undefined) return `at most ${show(most)}`
  return least === undefined ? undefined : `at least ${show(least)}`
}

/** An operation as Markdown: what it takes and answers, its refusals by its own rules, and an example. */
export function operationText({ method, path, operation }: DocumentedOperation): string {
  const { path: inPath, query, body } = requestMembersOf(operation)
  const example = Object.values(operation.requestBody?.content ?? {})[0]?.example
  const parts: readonly (readonly [title: string, text: string])[] = [
    ['Path', memberList(inPath, false)],
    ['Query', memberList(query, false)],
    ['Body', memberList(body, false)],
    ['Example', example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`],
    ['Answer', memberList(answerMembersOf(operation), true)],
    ['Errors of its rules', refusalCodes(operation).map(refusalLine).join('')],
  ]
  return [
    `# ${operation.summary}\n`,
    `\`${method} ${path ?? 'to your server'}\`\n`,
    ...(operation.description === undefined ? [] : [`${operation.description}\n`]),
    ...parts.filter(([, text]) => text !== '').map(([title, text]) => `## ${title}\n\n${text}`),
  ].join('\n')
}

const memberList = (members: readonly Member[], isAnswer: boolean): string =>
  members.map((member) => memberLine(member, isAnswer)).join('')

function memberLine({ path, type, limits, meaning, isRequired }: Member, isAnswer: boolean): string {
  const presence = isRequired === isAnswer ? [] : [isAnswer ? 'may be absent' : 'required']
  const what = [meaning, limits].filter(Boolean).join('. ')
  return `- \`${path}\` (${[type, ...presence].join(', ')})${what === '' ? '' : `: ${what}`}\n`
}

function refusalLine(code: ErrorCode): string {
  const { message, remedy } = errorTable[code]
  return `- \`${code}\`: ${message}. ${remedy}\n`
}
