import { Refusal } from '../../../contract/errors.ts'
import type { Call } from '../../../http/call.ts'
import { refusalInShort } from '../../../presentation/refusal-in-short.ts'
import type { DoneNotice, MenuName, NoticeRedirect } from '../../frame/notices.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import { pageBefore } from '../../masthead/page-before.ts'
import { type FormFields, fieldsOf } from '../../serving/form-fields.ts'
import { clockFields, moveClock } from './clock-actions.ts'
import { clearFields, clearQueue, outcomeFields, queueFromForm } from './outcome-actions.ts'
import { checkpointFields, saveFromForm } from './state-actions.ts'

/** What the forms of the menus act on. */
type MenuContext = Pick<PagesContext, 'clock' | 'commands' | 'engine'>

/** A form of a menu in the masthead. */
interface MenuForm {
  readonly menu: MenuName
  readonly fields: readonly string[]
  /** Carries out the form; resolves to its notice. Errors: Refusal. */
  readonly act: (context: MenuContext, fields: FormFields) => Promise<DoneNotice>
}

const forms = {
  clock: { menu: 'clock', fields: clockFields, act: moveClock },
  outcomes: { menu: 'outcomes', fields: outcomeFields, act: queueFromForm },
  'outcomes-clear': { menu: 'outcomes', fields: clearFields, act: clearQueue },
  checkpoints: { menu: 'state', fields: checkpointFields, act: saveFromForm },
} as const satisfies Readonly<Record<string, MenuForm>>

/**
 * Carries out a form of the masthead, and redirects to the page where it was. A refusal is shown in the menu, which is
 * then open with the input. Errors: any other error.
 */
export async function actFromMenu(
  context: MenuContext,
  call: Call,
  name: keyof typeof forms,
): Promise<NoticeRedirect> {
  const { menu, fields: names, act }: MenuForm = forms[name]
  const to = pageBefore(call)
  const fields = await fieldsOf(call, names)
  try {
    return { to, notice: await act(context, fields) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { to, notice: { text: inWords(error), refused: { menu, fields } } }
  }
}

/** A refusal with its reason and remedy. */
function inWords(refusal: Refusal): string {
  if (refusal.code === 'C17' || refusal.detail === undefined) return `${refusal.message}.`
  const { message, why, remedy } = refusalInShort(refusal)
  return `${[message, why].filter(Boolean).join(': ')}. ${remedy}.`
}
