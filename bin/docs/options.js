import { code, definitions } from './markdown.js'

/** The tables of docs/options.md, from the rows of the options. */
export const optionTables = ({ behaviourOptions, accessOptions, addressOptions, startClock, startOnly }) => ({
  'options-behaviour': () => optionTable(behaviourOptions),
  'options-place': () => optionTable({ ...addressOptions, ...accessOptions }),
  'options-single': () => optionTable({ clock: startClock, ...startOnly }),
})

const optionTable = (rows) =>
  definitions(
    Object.entries(rows).map(([name, { what, usual, flag }]) => [
      `<a id="${name.toLowerCase()}"></a>${code(name)}`,
      `${what}.`,
      flag && [`--${flag.name}`, ...(flag.env ? [flag.env] : [])].map(code).join(', '),
      usual && `default: ${usual}`,
    ]),
  )
