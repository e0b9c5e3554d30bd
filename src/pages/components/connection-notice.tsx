import type { PropsWithChildren } from 'hono/jsx'
import { Notice } from './basics.tsx'

/** Says that the sandbox does not answer; a page's script shows it while that is so. It lies over the page. Inside: what that means. */
export const ConnectionNotice = ({ children }: PropsWithChildren) => (
  <div class="dead centre" data-dead hidden>
    <Notice tone="error" title="The sandbox does not answer">
      {children ?? <p>This page may be out of date. It reconnects automatically.</p>}
    </Notice>
  </div>
)
