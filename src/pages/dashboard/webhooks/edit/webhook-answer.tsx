import type { AttemptView } from '../../../../contract/sandbox/webhooks.ts'
import { shortDuration } from '../../../../text/duration-words.ts'
import { Panel } from '../../../components/panel.tsx'
import { AttemptDetail } from '../attempts.tsx'

/** The request that was sent, and the receiver's answer. */
export const Answer = ({ sent }: { readonly sent: AttemptView }) => {
  const { status, error, durationMs, url } = sent
  return (
    <Panel
      title={status === null ? 'No answer' : `Answered ${status}`}
      name="answer"
      note={
        <span class={`state tone-${status === 200 ? 'success' : 'fail'}`} role="status">
          {status === null ? (error ?? 'no answer') : `${url} in ${shortDuration(durationMs)}`}
        </span>
      }
    >
      <AttemptDetail tries={[sent]} missing={0} index={0} />
    </Panel>
  )
}
