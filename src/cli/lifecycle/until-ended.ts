import { onInterruption, onReaderGone } from '../interruption.ts'
import { isRunByPackageManager, onParentEnd } from '../parent-process.ts'

/** Why a sandbox in the foreground has to stop. */
export type EndReason = 'signal' | 'window' | 'parent' | 'reader'

/**
 * Resolves with the reason once the sandbox of this process has to stop: a signal, the end of its window, of the process
 * that started it (`withParent`; left out: under npm and npx), or of who reads its output. assumption: with-parent
 */
export function untilEnded(withParent = isRunByPackageManager()): Promise<EndReason> {
  return new Promise((resolve) => {
    onInterruption().signal.addEventListener('abort', () => resolve('signal'))
    process.once('SIGHUP', () => resolve('window'))
    onReaderGone(() => resolve('reader'))
    if (withParent) onParentEnd(() => resolve('parent'))
  })
}
