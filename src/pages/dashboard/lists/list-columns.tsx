import type { PropsWithChildren } from 'hono/jsx'
import type { Call } from '../../../http/call.ts'
import { refuseCardData } from '../../../http/card-data.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { type QueryReader, queryString } from './filter-form.tsx'

/** Optional columns and their titles; amount and type are always shown. */
export const columnNames = {
  status: 'Status',
  card: 'Card',
  result: 'Result',
  terminal: 'Terminal',
  order: 'Order',
  description: 'Description',
  id: 'Id',
  time: 'Time',
} as const

/** A column that can be chosen. */
export type ColumnName = keyof typeof columnNames

const all = Object.keys(columnNames) as readonly ColumnName[]

/** Default columns of a list. */
const usual: readonly ColumnName[] = ['status', 'card', 'terminal', 'order', 'id', 'time']

/** Value for amount and type alone. */
const none = 'none'

/** Reads the columns of the address; empty: the default ones. Errors are added to the reader's problems. */
export const readColumns = (reader: QueryReader): string =>
  reader.text(
    'columns',
    (text) => text === none || text.split(',').every((name) => all.some((column) => column === name)),
    `The columns must be ${none}, or some of ${all.join(', ')}, with commas between.`,
  )

/** The columns of an address, in their order. */
export const parseColumns = (text: string): readonly ColumnName[] =>
  text === '' ? usual : all.filter((column) => text.split(',').includes(column))

interface ViewMenuProps {
  /** As the address has them. */
  readonly columns: string
  /** Other parameters of the address, which are kept. */
  readonly otherParameters: Readonly<Record<string, string>>
}

/** A menu with a box for each column; inside, what else belongs to the view. */
export const ViewMenu = ({ columns, otherParameters, children }: PropsWithChildren<ViewMenuProps>) => (
  <Fold summary="View" className="fold column-menu relative">
    <div class="popover lined round-m shadow on-paper column-choices">
      <form class="stack gap-3" method="get" action="/columns">
        <Hidden fields={otherParameters} />
        <fieldset>
          <legend>Columns</legend>
          {all.map((column) => (
            <label class="row gap-2 h-1-75">
              <input
                type="checkbox"
                name="column"
                value={column}
                checked={parseColumns(columns).includes(column)}
                autocomplete="off"
              />
              {columnNames[column]}
            </label>
          ))}
        </fieldset>
        <p class="row gap-3">
          <Submit look="main">Show</Submit>
          {columns !== '' && <a href={`/${queryString(otherParameters)}`}>Reset</a>}
        </p>
      </form>
      {children}
    </div>
  </Fold>
)

/** Leads to the list with the columns whose boxes are sent: its address has them in one parameter. */
export function chooseColumns(call: Call): Response {
  const { column: _, columns: __, ...otherParameters } = call.req.query()
  const boxes = call.req.queries('column') ?? []
  refuseCardData(JSON.stringify([otherParameters, boxes]))
  const chosen = all.filter((each) => boxes.includes(each))
  const columns = chosen.join() === usual.join() ? '' : chosen.join() || none
  return call.redirect(`/${queryString(otherParameters, { columns })}`, 303)
}
