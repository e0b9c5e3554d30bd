import { errorTable } from '../contract/errors.ts'
import {
  answerMembersOf,
  type DocumentedOperation,
  type Member,
  refusalsOf,
  requestMembersOf,
} from './documented-operations.ts'

/** An operation as Markdown: what it takes and answers, its refusals by its own rules, and an example. */
export function operationText({ method, path, operation }: DocumentedOperation): string {
  const { path: inPath, query, body } = requestMembersOf(operation)
  const answered = answerMembersOf(operation) ?? []
  const example = Object.values(operation.requestBody?.content ?? {})[0]?.example
  const parts: readonly (readonly [title: string, text: string])[] = [
    ['Path', listOf(inPath, false)],
    ['Query', listOf(query, false)],
    ['Body', listOf(body, false)],
    ['Example', example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`],
    ['Answer', listOf(answered, true)],
    ['Errors of its rules', refusalsOf(operation).own.map(refusalLine).join('')],
  ]
  return [
    `# ${operation.summary}\n`,
    `\`${method} ${path ?? 'to your server'}\`\n`,
    ...(operation.description === undefined ? [] : [`${operation.description}\n`]),
    ...parts.filter(([, text]) => text !== '').map(([title, text]) => `## ${title}\n\n${text}`),
  ].join('\n')
}

const listOf = (members: readonly Member[], isAnswer: boolean): string =>
  members.map((member) => memberLine(member, isAnswer)).join('')

function memberLine({ path, type, limits, meaning, isRequired }: Member, isAnswer: boolean): string {
  const presence = isRequired === isAnswer ? [] : [isAnswer ? 'may be absent' : 'required']
  const what = [meaning, limits].filter(Boolean).join('. ')
  return `- \`${path}\` (${[type, ...presence].join(', ')})${what === '' ? '' : `: ${what}`}\n`
}

function refusalLine(code: keyof typeof errorTable): string {
  const { message, remedy } = errorTable[code]
  return `- \`${code}\`: ${message}. ${remedy}\n`
}
