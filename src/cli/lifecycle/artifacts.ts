import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { requestArchive, requestsInFull } from '../../client/request-archive.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { makeRealFolder, writeAnew } from '../../shared/files/files.ts'
import { notificationIds, webhookStories } from '../webhook/webhook-stories.ts'

/** What a failed command leaves behind, and where. */
export interface ArtifactsOptions {
  readonly address: SandboxAddress
  readonly folder: string
  readonly log: string
  /** Texts that must not be in any file. */
  readonly secrets: readonly string[]
}

/** Deliveries and transactions that are written at most, the newest. */
const mostWritten = 1_000

/**
 * Writes what happened in a sandbox: `requests.har`, `deliveries.json` with every attempt,
 * `timelines/<id>.txt` and `sandbox.log`, for their owner alone.
 */
export async function writeArtifacts(options: ArtifactsOptions): Promise<void> {
  const { address, folder, log, secrets } = options
  const timelines = join(folder, 'timelines')
  for (const each of [folder, timelines]) makeRealFolder(each)
  for (const name of readdirSync(timelines)) if (/^\d{16}\.txt$/.test(name)) rmSync(join(timelines, name)) // of an earlier run
  const write = (name: string, text: string) => writeAnew(join(folder, name), without(secrets, text))
  const requests = await requestsInFull(
    (name, members, names) => control(address, name, members, { names }),
    { limit: mostWritten },
  )
  write('requests.har', `${JSON.stringify(requestArchive(requests, address.baseUrl), null, 2)}\n`)
  const ids = await notificationIds(address, { limit: mostWritten })
  write('deliveries.json', `${JSON.stringify(await webhookStories(address, ids), null, 2)}\n`)
  const { transactions } = await control(address, 'transactions', { limit: mostWritten })
  for (const { transactionId: id } of transactions)
    write(`timelines/${id}.txt`, await fetchTimeline(address, id))
  write('sandbox.log', existsSync(log) ? readFileSync(log, 'utf8') : '')
}

const without = (secrets: readonly string[], text: string): string =>
  secrets.filter(Boolean).reduce((shown, secret) => shown.replaceAll(secret, hiddenMark), text)

async function fetchTimeline(address: SandboxAddress, id: string): Promise<string> {
  const { renderStory } = await import('../output/draw-timeline.ts')
  const story = await control(address, 'transaction', { attempts: true }, { names: { id } })
  return stripVTControlCharacters(renderStory(story, 120))
}
