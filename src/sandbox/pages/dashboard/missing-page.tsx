import type { Refusal } from '../../../api/errors.ts'
import { Empty } from './marks.tsx'
import type { View } from './view.ts'

/** The page of something that is not there. */
export const missingView = ({ code, message, detail }: Refusal): View => ({
  title: 'Not found',
  place: code === 'SBX_WEBHOOK_NONE' ? 'webhooks' : 'transactions',
  live: null,
  status: 404,
  parts: () => ({}),
  body: () => (
    <section class="panel">
      <h1 class="page-title">{message}</h1>
      <Empty
        title={`${detail ?? message}; a reset may have forgotten it.`}
        commands={[code === 'SBX_WEBHOOK_NONE' ? 'tillbox webhook list' : 'tillbox sandbox status']}
      >
        <p>
          <a href={code === 'SBX_WEBHOOK_NONE' ? '/webhooks' : '/'}>Look at the list</a>
        </p>
      </Empty>
    </section>
  ),
})
