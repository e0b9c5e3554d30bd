import { describe, expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { appOf } from '../support/service/app.ts'
import { askIn } from '../support/service/ask.ts'
import { sale, temporaryFolder } from '../support/service/service.ts'

const forgotten = '/requests/00000000-0000-4000-8000-000000000000'

/** What the pages say of the request log: the list, the tab of a transaction, a request that is gone. */
async function sentencesOf(storage: { readonly state: string }): Promise<string[]> {
  const sandbox = await openSandbox(storage)
  onTestFinished(() => sandbox.close())
  const page = async (path: string) => {
    const text = await (await appOf(sandbox).request(path, { headers: { Accept: 'text/html' } })).text()
    return (/<main[\s>].*<\/main>/s.exec(text)?.[0] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  }
  const sold = await askIn(sandbox)('POST', '/v1/semi-integration/transaction/sale', sale(1000))
  const tab = `/transactions/${sold?.data.transactionId}?tab=requests`
  await sandbox.log.clear()
  const texts = [await page(`/requests?status=refused`), await page(tab), await page(forgotten)]
  return texts.flatMap((text) => text.match(/the last 1,000[^.]*\./gi) ?? [])
}

/** The sentences in the order of `sentencesOf`. */
const saying = (location: string, lost: string): string[] => [
  `The last 1,000, kept in ${location}.`,
  ...Array(2).fill(`the last 1,000; ${lost}.`),
]

describe('the limits of the request log on its pages', () => {
  test('the pages say that the log of a state folder is in memory and lost after a restart', async () => {
    expect(await sentencesOf({ state: temporaryFolder() })).toEqual(
      saying('memory', 'it is cleared on restart'),
    )
  })
})
