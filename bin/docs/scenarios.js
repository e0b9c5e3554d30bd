import * as v from 'valibot'
import { code, codes, definitions, table } from './markdown.js'

/** The tables of docs/scenarios.md, from the tables that the runner goes by. */
export const scenarioTables = ({
  operations,
  controls,
  controlActions,
  otherActions,
  matchers,
  shortNamesOf,
  laws,
  lawFields,
  serverMembers,
  orderMembers,
}) => ({
  'scenario-operations': () =>
    table(
      ['steps', 'short names', 'wait for their end'],
      alike(
        Object.entries(operations).map(([name, { command, opens, opensPage }]) => [
          code(command),
          Object.entries(shortNamesOf(name))
            .map(([short, member]) => `${code(short)} is ${code(member)}`)
            .join(', ') || '–',
          opens && !opensPage ? 'yes' : '–',
        ]),
      ),
    ),
  'scenario-acts': () =>
    definitions(
      Object.entries(controlActions).map(([action, { control, at, short, says = {}, summary }]) => [
        code(action),
        // a step with the name of a command does what the command does: docs/commands.md
        [
          ...(controls[control].command === action ? [] : [`${summary}.`]),
          ...(short ? [`Short form: ${code(`${action}: <${short}>`)}.`] : []),
        ].join(' '),
        [...(at ? [at] : []), ...Object.keys(controls[control].input.entries)]
          .filter((name) => !(name in says) && !(says.online !== undefined && name !== at))
          .map(code)
          .join(', '),
      ]),
    ),
  'scenario-others': () =>
    definitions(Object.entries(otherActions).map(([action, what]) => [code(action), what])),
  'scenario-matchers': () => definitions(Object.entries(matchers).map(([name, what]) => [code(name), what])),
  laws: () =>
    table(
      ['law', 'rule', 'needs'],
      Object.entries(laws).map(([law, what]) => [code(law), what, codes(lawFields[law] ?? []) || '–']),
    ),
  'server-members': () =>
    definitions([...membersOf('', serverMembers), ...membersOf('orders.', orderMembers)]),
})

/** Rows that differ in their first cell alone, as one row. */
const alike = (rows) => {
  const merged = new Map()
  for (const [first, ...others] of rows) {
    const key = others.join()
    merged.set(key, [[...(merged.get(key)?.[0] ?? []), first], ...others])
  }
  return [...merged.values()].map(([firsts, ...others]) => [firsts.join(', '), ...others])
}

const membersOf = (prefix, members) =>
  Object.entries(members).map(([name, schema]) => [
    code(`${prefix}${name}`),
    v.getDescription(schema.wrapped ?? schema),
  ])
