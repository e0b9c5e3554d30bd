import { Notice } from './basics.tsx'

/** Says that the sandbox does not answer; a page's script shows it while that is so. It lies over the page. */
export const ConnectionNotice = () => (
  <div class="dead" data-dead hidden>
    <Notice tone="error" title="The sandbox does not answer">
      <p>What is shown may be old. This window goes on by itself as soon as it is back.</p>
    </Notice>
  </div>
)
