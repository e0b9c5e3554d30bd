import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../../src/contract/control/control-answers.ts'
import { type ServerOptions, startSandbox } from '../../src/server/server.ts'
import { type LaunchedSandbox, sendRequest } from '../support/commands/running-sandbox.ts'

/** Options under which every public client must work. */
export const optionSets: readonly { readonly name: string; readonly options: Partial<ServerOptions> }[] = [
  { name: 'the defaults', options: {} },
  { name: '--strict', options: { strict: true } },
  { name: '--like-production', options: { likeProduction: true } },
]

/** A sandbox for all tests of a group: it is started before them, and closed after them. */
export interface GroupSandbox extends Connection, Pick<LaunchedSandbox, 'send'> {
  close(): Promise<void>
}

/** Starts one on a folder of its own. */
export async function startShared(options: Partial<ServerOptions>): Promise<GroupSandbox> {
  const state = mkdtempSync(join(tmpdir(), 'tillbox-test-'))
  const { connection, close } = await startSandbox({ state, ...options })
  return {
    ...connection,
    send: (method, path, more) => sendRequest(connection, method, path, more),
    close: async () => {
      await close()
      rmSync(state, { recursive: true, force: true })
    },
  }
}
