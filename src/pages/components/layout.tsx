import type { PropsWithChildren } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'

interface LayoutProps {
  readonly title: string
  /** A script of /_assets/, by its file name. */
  readonly script?: string
  /** A stylesheet of /_assets/ beside the one of every page, by its file name. */
  readonly styles?: string
  /** Seconds after which a browser without scripts looks again. */
  readonly lookAgain?: number | undefined
  /** The masthead of a page for developers shows the test mode. */
  readonly hasMasthead?: boolean
}

/** The document of every page: our stylesheets and scripts; without masthead a ribbon says test mode. */
export const Layout = (page: PropsWithChildren<LayoutProps>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>{page.title}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <link rel="icon" href="/_assets/icon.svg" type="image/svg+xml" />
      <link rel="preload" href="/_assets/inter.woff2" as="font" type="font/woff2" crossorigin="anonymous" />
      <link rel="stylesheet" href="/_assets/style.css" />
      {page.styles !== undefined && <link rel="stylesheet" href={`/_assets/${page.styles}`} />}
      {page.lookAgain !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(page.lookAgain)} />
        </noscript>
      )}
      <script src="/_assets/theme.js" />
      {page.script !== undefined && <script type="module" src={`/_assets/${page.script}`} />}
    </head>
    <body class="flex min-h-dvh flex-col wrap-anywhere antialiased">
      {page.hasMasthead !== true && <TestRibbon />}
      {page.children}
      {page.hasMasthead && <LoadingBar />}
    </body>
  </html>
)

/** While scripts load something. */
const LoadingBar = () => (
  <i
    class="fixed inset-x-0 top-0 z-9 hidden h-0.75 origin-left animate-loading bg-accent in-data-loading:block"
    aria-hidden="true"
  />
)

const TestRibbon = () => (
  <header class="ribbon bg-test-tint text-note text-test">
    <p class="flex items-center justify-center gap-x-3 gap-y-1 px-4 py-2">
      <strong class="pill">Test mode</strong>
      <span>No real money moves. Only test cards are accepted.</span>
    </p>
  </header>
)

/** A page as text, from the doctype on. */
export const htmlDocument = (page: JSX.Element): string => `<!doctype html>\n${page}`
