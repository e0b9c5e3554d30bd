import { Slip } from '../components/basics.tsx'
import { Icon } from '../components/icons.tsx'
import { documentOf, Layout } from '../components/layout.tsx'

/** Says that the pages of this sandbox want its token. */
export const renderTokenWanted = (): string =>
  documentOf(
    <Layout title="Token required">
      <main class="stage">
        <Slip>
          <div class="seal seal-info">
            <Icon name="info" />
          </div>
          <h1 class="result-heading">This sandbox requires a token</h1>
          <p class="result-text">
            Add ?token=… to the address, with the token that the sandbox was started with. The browser keeps
            it until you close it.
          </p>
        </Slip>
      </main>
    </Layout>,
  )
