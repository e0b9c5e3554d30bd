import { watchConnection } from './connection-notice.ts'
import { copyCommands } from './copy-commands.ts'
import { onHtmx } from './htmx.ts'

copyCommands(document)
watchConnection(document)

/** A piece that is pushed as it is already stays as it is, and so does the focus in it. */
onHtmx<{ shouldSwap: boolean; readonly fragment: Element }>('oobBeforeSwap', (target, swap) => {
  if (target.innerHTML === swap.fragment.innerHTML) swap.shouldSwap = false
})
