import type { PropsWithChildren } from 'hono/jsx'
import { type ScreenView, terminalPath } from '../../../contract/sandbox/screens.ts'
import { workbenchId } from './workbench-view.ts'

interface ActionFormProps {
  readonly view: ScreenView
  readonly act: 'present' | 'tip' | 'pin' | 'sign' | 'cancel' | 'set'
  readonly className?: string
  /** Distinguishes two forms of the same act. */
  readonly of?: string
}

/** A form that does something at the terminal, for the transaction that is shown and no other. */
export const WorkbenchForm = ({ view, act, className, of, children }: PropsWithChildren<ActionFormProps>) => {
  const action = `${terminalPath(view.terminalSn)}/${act}`
  return (
    <form
      id={[of, act, workbenchId(view.terminalSn)].filter(Boolean).join('-')}
      class={className}
      method="post"
      action={action}
      hx-post={action}
      hx-swap="none ignoreTitle:true"
      hx-sync="this:drop"
      autocomplete="off"
    >
      {act !== 'set' && view.transaction !== null && (
        <input type="hidden" name="transactionId" value={view.transaction.transactionId} />
      )}
      {children}
    </form>
  )
}

/** The form of the red key. */
export const CancelForm = ({ view }: { readonly view: ScreenView }) => (
  <WorkbenchForm view={view} act="cancel" />
)
