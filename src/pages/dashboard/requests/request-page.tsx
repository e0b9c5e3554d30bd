import type { ReadableLog } from '../../../request-log/request-views.ts'
import { requestNamed } from '../../../request-log/request-views.ts'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import { RequestDetail } from './request-detail.tsx'

/** One request with its answer. It is over, so it does not change. Errors: SBX_REQ_NONE. */
export function requestPage(context: ReadableLog, { id }: PageRequest): PageView {
  const story = requestNamed(context, id)
  return {
    title: `Request ${story.operation ?? story.path}`,
    section: 'requests',
    body: () => <RequestDetail context={context} story={story} isPage />,
  }
}
