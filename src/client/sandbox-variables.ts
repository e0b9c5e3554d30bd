import { spaceIn } from '../contract/control/spaces.ts'

/** Facts of a sandbox for a program that uses it. */
export interface SandboxFacts {
  readonly url: string
  readonly apiKey: string
  readonly appId: string
  readonly merchantId: string
  readonly terminalSn: string | undefined
  readonly webhookSecret: string
  readonly token: string | undefined
  /** State folder; undefined for a sandbox on another machine. */
  readonly state: string | undefined
  /** Certificate to trust, a path; undefined without TLS. */
  readonly certificate: string | undefined
}

/** Variables that would lead a command of a program to another sandbox. */
const misleading = [
  'TILLBOX_SPACE',
  'TILLBOX_TERMINAL_SN',
  'TILLBOX_TOKEN',
  'TILLBOX_PROFILE',
  'TILLBOX_PORT',
  'TILLBOX_NOTIFY_URL',
  'TILLBOX_FORWARD_TO',
]

/** The environment of a program that uses a sandbox. `env`: of who starts it; `variables`: what is added. */
export function environmentWith(
  variables: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !misleading.includes(name))
  return { ...Object.fromEntries(others), ...variables }
}

/** Environment variables that tell a program how to use a sandbox. */
export function sandboxVariables(sandbox: SandboxFacts): Record<string, string> {
  const { terminalSn, token, state, certificate } = sandbox
  return {
    TILLBOX_BASE_URL: sandbox.url,
    TILLBOX_API_KEY: sandbox.apiKey,
    TILLBOX_APP_ID: sandbox.appId,
    TILLBOX_MERCHANT_ID: sandbox.merchantId,
    ...(terminalSn !== undefined && { TILLBOX_TERMINAL_SN: terminalSn }),
    TILLBOX_WEBHOOK_SECRET: sandbox.webhookSecret,
    // A space is found by its URL alone: its folder has a lock file only while the space is in memory.
    ...(state !== undefined && spaceIn(sandbox.url) === undefined && { TILLBOX_STATE: state }),
    ...(token !== undefined && { TILLBOX_TOKEN: token }),
    ...(certificate !== undefined && { NODE_EXTRA_CA_CERTS: certificate }),
  }
}
