import { dirname, relative, resolve, sep } from 'node:path'
import { commentText, sectionText, stepText, valueText } from '../scenario/file/write-scenario.ts'
import { commandFolder } from '../scenario/merchant/merchant-server.ts'
import type { Found } from './attack.ts'

/**
 * What was found as a scenario file, which fails by itself as long as the law is broken. `drawing`: lines of
 * comment; `file`: where it is written, from where commands find the folder of the drive.
 */
export function foundScenarioText(
  { scenario, message, failed, runs }: Found,
  seed: number,
  drawing: readonly string[],
  file: string,
): string {
  const { name, server, sandbox, cases, setup, steps, teardown } = scenario
  const { folder: _, ...described } = server
  const folder = relative(dirname(resolve(file)), commandFolder(server, scenario.file)).replaceAll(sep, '/')
  const sections = { setup, steps, teardown }
  return [
    ...message.split('\n').map(commentText),
    commentText(
      `${runs === 0 ? 'Not confirmed' : `Failed ${failed} of ${runs} times`}; found by tillbox attack --seed ${seed}`,
    ),
    ...drawing.map((line) => `${`#   ${line}`.trimEnd()}\n`),
    `name: ${valueText(`${name}, attacked`)}\n`,
    sectionText('server', { ...described, ...(folder !== '' && { folder }) }),
    ...(sandbox === undefined ? [] : [sectionText('sandbox', sandbox)]),
    ...(cases === undefined ? [] : [`cases: ${valueText(cases.slice(0, 1))}\n`]),
    ...Object.entries(sections).flatMap(([section, all]) =>
      all.length === 0 ? [] : [`${section}:\n`, ...all.map(stepText)],
    ),
  ].join('')
}
