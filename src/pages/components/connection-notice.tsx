import { Notice } from './basics.tsx'

/** Says that the sandbox does not answer; a page's script shows it while that is so. It lies over the page. */
export const ConnectionNotice = () => (
  <div class="dead" data-dead hidden>
    <Notice tone="error" title="The sandbox does not answer">
      <p>This page may be out of date. It reconnects automatically.</p>
    </Notice>
  </div>
)
