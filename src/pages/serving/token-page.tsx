import { Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { documentOf, Layout } from '../components/layout.tsx'

/** Says that the pages of this sandbox want its token. */
export const renderTokenWanted = (): string =>
  documentOf(
    <Layout title="Token wanted">
      <main class="stage">
        <Slip>
          <div class="seal seal-info">
            <Icon name="info" />
          </div>
          <h1 class="result-heading">This sandbox wants its token</h1>
          <p class="result-text">
            Open the page once with the token that the sandbox was started with: add ?token=… to its address.
            The browser keeps it until it is closed.
          </p>
        </Slip>
      </main>
    </Layout>,
  )
