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
  const { claimGroups, claims, countByKind, evidenceKinds } = contract
  const named = (pattern) => Object.entries(claims).filter(([name]) => new RegExp(pattern).test(name))
  return {
    claims: () =>
      table(
        ['name', 'choice', 'reason', 'setting'],
        Object.entries(claimGroups).flatMap(([title, group]) => [
          [`**${title}**`, '', '', ''],
          ...Object.entries(group).map(([name, { kind, says, source, setting }]) => [
            name,
            says,
            kind === 'public' ? `Public: ${source}.` : source,
            setting ?? '–',
          ]),
        ]),
      ),
    'claim-kinds': () =>
      table(
        ['kind', 'what it is', 'claims'],
        Object.entries(evidenceKinds).map(([kind, what]) => [kind, what, countByKind(kind)]),
      ),
    rules: (prefix) =>
      named(`^${prefix}-\\d+$`)
        .map(([name, claim], index) => `${index + 1}. <a id="${name}"></a>${ruleText(claim)}`)
        .join('\n'),
    'limit-rules': () =>
      named('^limit-')
        .filter(([, { limits }]) => limits === undefined)
        .map(([name, claim]) => `- <a id="${name}"></a>${ruleText(claim)}`)
        .join('\n'),
    headers: () =>
      table(
        ['header', 'rule', 'in the sandbox', 'evidence'],
        named('^header-')
          .filter(([, { headers }]) => headers !== undefined)
          .map(
            ([
              name,
              {
                headers: [header],
                says,
                adds,
              },
            ]) => [
              `<a id="${name}"></a>${code(header)}`,
              says,
              adds,
              evidenceOf(contract)('headers', header),
            ],
          ),
      ),
  }
}

/** A rule, where it stands in the specification, and what the sandbox adds. Links are those of docs/api.md. */
const ruleText = (claim) =>
  [claim.says, `*(${claim.kind}: ${claim.source})*`, claim.adds]
    .filter(Boolean)
    .join(' ')
    .replaceAll('](api.md#', '](#')
