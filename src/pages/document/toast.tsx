import type { DoneNotice } from '../frame/notices.ts'

/** What was done, if something was, over the foot of the page, with what undoes it. */
export const Toast = ({ notice }: { readonly notice: DoneNotice | undefined }) =>
  notice === undefined || notice.refused !== undefined ? null : <Said {...notice} />

const Said = ({ text, undo }: DoneNotice) => (
  <div class="toast" role="status" data-toast>
    <p>{text}</p>
    {undo !== undefined && (
      <form method="post" action={undo.path}>
        {Object.entries(undo.fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} autocomplete="off" />
        ))}
        <button class="toast-undo" type="submit">
          Undo
        </button>
      </form>
    )}
  </div>
)
