import { Hidden, Submit } from '../components/actions.tsx'
import type { DoneNotice } from '../frame/notices.ts'

/** The last notice, at the foot of the page, with its undo. */
export const Toast = ({ notice }: { readonly notice: DoneNotice | undefined }) =>
  notice === undefined || notice.refused !== undefined ? null : <ToastMessage {...notice} />

const ToastMessage = ({ text, undo }: DoneNotice) => (
  <div class="toast round-m shadow row between gap-4 small medium centre" role="status" data-toast>
    <p>{text}</p>
    {undo !== undefined && (
      <form method="post" action={undo.path}>
        <Hidden fields={undo.fields} />
        <Submit look="link">Undo</Submit>
      </form>
    )}
  </div>
)
