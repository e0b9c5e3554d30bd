import * as v from 'valibot'
import { code, table } from './markdown.js'

/** The tables of docs/scenarios.md, from the tables that the runner goes by. */
export const scenarioTables = ({
  operations,
  controls,
  controlActions,
  otherActions,
  matchers,
  shortNamesOf,
  laws,
  serverMembers,
  orderMembers,
}) => ({
  'scenario-operations': () =>
    table(
      ['step', 'short names', 'waits for its end'],
      Object.entries(operations).map(([name, { command, opens, opensPage }]) => [
        code(command),
        Object.entries(shortNamesOf(name))
          .map(([short, member]) => `${code(short)} is ${code(member)}`)
          .join(', ') || '–',
        opens && !opensPage ? 'yes' : '–',
      ]),
    ),
  'scenario-acts': () =>
    table(
      ['step', 'what it does', 'members', 'a value alone is'],
      Object.entries(controlActions).map(([action, { control, at, short, says = {}, summary }]) => [
        code(action),
        summary,
        [...(at ? [at] : []), ...Object.keys(controls[control].input.entries)]
          .filter((name) => !(name in says) && !(says.online !== undefined && name !== at))
          .map(code)
          .join(', ') || '–',
        short ? code(short) : '–',
      ]),
    ),
  'scenario-others': () =>
    table(
      ['step', 'what it does'],
      Object.entries(otherActions).map(([action, what]) => [code(action), what]),
    ),
  'scenario-matchers': () =>
    table(
      ['comparison', 'what fits'],
      Object.entries(matchers).map(([name, what]) => [code(name), what]),
    ),
  laws: () =>
    table(
      ['law', 'what it says'],
      Object.entries(laws).map(([law, what]) => [code(law), what]),
    ),
  'server-members': () =>
    table(['member', 'what it is'], [...membersOf('', serverMembers), ...membersOf('orders.', orderMembers)]),
})

const membersOf = (prefix, members) =>
  Object.entries(members).map(([name, schema]) => [
    code(`${prefix}${name}`),
    v.getDescription(schema.wrapped ?? schema),
  ])
