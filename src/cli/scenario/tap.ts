import type { ScenarioResult } from '../../scenario/run.ts'
import { clean } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import { type Reporter, timelineLines } from './reporter.ts'

/** The Test Anything Protocol, version 14: https://testanything.org/tap-version-14-specification.html */
export function tapReporter(): Reporter {
  let number = 0
  return {
    begin: (count) => `TAP version 14\n1..${count}\n`,
    result: (result) => {
      number += 1
      return `${lineOf(result, number)}${diagnosticOf(result)}`
    },
    end: () => '',
  }
}

function lineOf({ outcome, file, name, reason }: ScenarioResult, number: number): string {
  const skip = outcome === 'skipped' ? ` # SKIP ${escaped(reason ?? '')}` : ''
  return `${outcome === 'failed' ? 'not ok' : 'ok'} ${number} - ${escaped(`${file}: ${name}`)}${skip}\n`
}

/** A # would begin a directive. */
const escaped = (text: string): string => clean(text).replace(/[\\#]/g, (character) => `\\${character}`)

/** A block of YAML: its texts are written as JSON, which YAML reads. */
function diagnosticOf({ failure, durationMs }: ScenarioResult): string {
  const members: [string, unknown][] = [['duration_ms', durationMs]]
  if (failure !== undefined) {
    const { position, step, message, differences } = failure
    members.push(
      ['message', message],
      ['severity', 'fail'],
      ['at', position],
      ['step', step],
      ['differences', differences.map(({ path, expected, actual }) => ({ path, expected, actual }))],
      ['timeline', timelineLines(failure)],
    )
  }
  const lines = members.map(([name, value]) => `  ${name}: ${jsonText(value)}`)
  return `  ---\n${lines.join('')}  ...\n`
}
