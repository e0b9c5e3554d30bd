import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { behaviourOptions, optionSchemas } from '../../contract/control/sandbox-options.ts'
import type { RecordedClaim } from '../../contract/evidence/recorded.ts'
import { fileProblem } from '../../shared/files/file-problem.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { checked, filledText, fixturesError, only } from './fixtures-problems.ts'
import { readJson, UnreadableText } from './source-lines.ts'

const { fixtures: _, ...settable } = behaviourOptions

const recordedFile = only({
  accepted: v.array(
    only({
      of: filledText('Operation, or code with which the sandbox refuses'),
      where: v.string('must be text'),
      sandbox: filledText('What the sandbox answers, by type and code'),
      service: filledText('What the service answered, by type and code'),
      claim: filledText('The claim that it contradicts'),
      setting: v.optional(only(optionSchemas(settable))),
      recorded: v.pipe(
        v.string('must be text'),
        v.isoTimestamp('must be a time, such as 2026-11-20T18:02:19Z'),
      ),
      from: filledText('Recording, or scenario and service'),
    }),
    'must be a list',
  ),
})

/** A file of accepted differences cannot be used. */
export class WrongRecordedFile extends Error {
  override readonly name = 'WrongRecordedFile'
}

/** What a project accepted of the service. Errors: WrongRecordedFile, with the file and mostly the line. */
export async function readRecorded(path: string): Promise<readonly RecordedClaim[]> {
  const { value, lineAt } = await contentOf(path)
  const { output, wrong } = checked(recordedFile, value)
  if (output !== undefined) {
    const contradicted = contradictedSetting(output.accepted)
    if (contradicted !== undefined)
      throw new WrongRecordedFile(`${path}: accepted has two values of the setting ${contradicted}`)
    return output.accepted
  }
  const source = { name: path, value, lineAt }
  throw new WrongRecordedFile((await fixturesError(wrong.map((each) => ({ source, ...each })))).message)
}

/** A setting that two differences want otherwise. */
function contradictedSetting(accepted: readonly RecordedClaim[]): string | undefined {
  const settings = accepted.flatMap(({ setting = {} }) => Object.entries(setting))
  const first = new Map(settings.toReversed())
  return settings.find(([name, value]) => JSON.stringify(first.get(name)) !== JSON.stringify(value))?.[0]
}

async function contentOf(path: string) {
  try {
    return await readJson(decodeText(readFileSync(path)), () => true)
  } catch (error) {
    if (!(error instanceof UnreadableText))
      throw new WrongRecordedFile(`${path}: ${fileProblem(error as Error)}`)
    throw new WrongRecordedFile(
      `${path}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`,
    )
  }
}
