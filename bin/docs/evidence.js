import { code, table } from './markdown.js'

/** The evidence of a row of a table: kinds and names of its claims. */
export const evidenceOf =
  ({ claims, claimsAbout }) =>
  (rows, name) =>
    claimsAbout(rows, name)
      .map((each) => `${claims[each].kind}: ${each}`)
      .join(', ')

/** The claims in docs/api.md and docs/assumptions.md: marker → text. */
export function evidenceTables(contract) {
  const { claimGroups, claims, countByKind, countOfOwn, evidenceKinds } = contract
  const named = (pattern) => Object.entries(claims).filter(([name]) => new RegExp(pattern).test(name))
  return {
    claims: () =>
      Object.entries(claimGroups)
        .map(([title, group]) => `## ${title}\n\n${Object.entries(group).map(claimLine).join('\n')}`)
        .join('\n\n'),
    'claim-kinds': () =>
      `${table(
        ['kind', 'what it is', 'claims'],
        Object.entries(evidenceKinds).map(([kind, what]) => [kind, what, countByKind(kind)]),
      )}\n\n${countOfOwn} assumptions are about what only tillbox has: access to a sandbox, stores, pages, commands and tests.`,
    rules: (prefix) => ruleList(named(`^${prefix}-\\d+$`)),
    'limit-rules': () =>
      named('^limit-')
        .filter(([, { limits }]) => limits === undefined)
        .map(([name, claim]) => `- <a id="${name}"></a>${ruleText(claim)}`)
        .join('\n'),
    headers: () =>
      table(
        ['header', 'rule', 'in the sandbox'],
        named('^header-')
          .filter(([, { headers }]) => headers !== undefined)
          .map(([name, { headers, says, adds }]) => [
            `<a id="${name}"></a>${code(headers[0])}`,
            linked(says),
            linked(adds),
          ]),
      ),
  }
}

const claimLine = ([name, { kind, says, source, setting }]) =>
  [
    `- **${name}**: ${says}`,
    kind === 'public' ? `*Source:* ${source}.` : `*Why:* ${source}`,
    setting && `*Setting:* ${setting}.`,
  ]
    .filter(Boolean)
    .join(' ')

/** Rules of one section of the specification, numbered as they are there. */
function ruleList(rules) {
  const [[, { source }]] = rules
  const section = source.replace(/ \d+$/, '')
  for (const [index, [name, claim]] of rules.entries())
    if (claim.source !== `${section} ${index + 1}`)
      throw new Error(`${name} is not rule ${index + 1} of ${section}`)
  const lines = rules.map(([name, claim], index) => `${index + 1}. <a id="${name}"></a>${ruleText(claim)}`)
  return `*Specification: ${section}.*\n\n${lines.join('\n')}`
}

/** A rule, and what the sandbox adds to it. */
const ruleText = ({ says, adds }) => linked(adds === undefined ? says : `${says} *Sandbox:* ${adds}`)

/** Links of claims are those of docs/; in docs/api.md its own name is left out. */
const linked = (text) => text?.replaceAll('](api.md#', '](#')
