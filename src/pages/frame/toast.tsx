import type { DoneNotice } from './notices.ts'

/** What was done, over the foot of the page, with what undoes it. */
export const Toast = ({ notice: { text, undo } }: { readonly notice: DoneNotice }) => (
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
