import { writeFileSync } from 'node:fs'
import { option, string } from '@oclif/core/flags'
import { makeReportFolder, usingFile } from '../errors/system-error.ts'
import { jsonText } from '../output/json-text.ts'
import { plainTheme, type Theme, terminalWidth, theme } from '../output/theme.ts'
import type { ExamReport } from './exam-report.ts'

/** Flags of a command that writes a report of the exam. */
export const examFlags = {
  reporter: option({
    description:
      'Form of the report: for people, JSON, JUnit XML, annotations of GitHub Actions, or one HTML page.',
    options: ['text', 'json', 'junit', 'github', 'html'] as const,
    default: 'text',
  })(),
  'report-file': string({
    description: 'File for the report; left out, standard output.',
    helpValue: '<file>',
  }),
}

/** A report in its forms. */
export interface ExamForms {
  readonly text: (theme: Theme, width: number) => string
  readonly json: () => object
  readonly exam: () => ExamReport
}

interface ExamFlags {
  readonly reporter: 'text' | 'json' | 'junit' | 'github' | 'html'
  readonly 'report-file'?: string | undefined
}

/** Makes the folder of the report, before anything runs. */
export function requireReportFolder({ 'report-file': file }: ExamFlags): void {
  if (file !== undefined) makeReportFolder(file, ...unwritable(file))
}

/** Writes a report; resolves once it left. */
export async function writeExam(forms: ExamForms, flags: ExamFlags): Promise<void> {
  const { reporter, 'report-file': file } = flags
  const [look, width] = file === undefined ? [theme, terminalWidth() ?? 80] : [plainTheme, 80]
  const text = await written(forms, reporter, look, width)
  if (file === undefined) return void (await new Promise((done) => process.stdout.write(text, done)))
  usingFile(() => writeFileSync(file, text), ...unwritable(file))
  process.stderr.write(`${forms.exam().summary}; the report is in ${file}\n`)
}

async function written(
  { text, json, exam }: ExamForms,
  reporter: ExamFlags['reporter'],
  look: Theme,
  width: number,
): Promise<string> {
  if (reporter === 'text') return text(look, width)
  if (reporter === 'json') return `${jsonText(json(), 2)}\n`
  const { junitExam, githubExam } = await import('./exam-report.ts')
  if (reporter === 'junit') return junitExam(exam())
  if (reporter === 'github') {
    const { escapedColons } = await import('../scenario/machine-reporters.ts')
    return escapedColons(text(plainTheme, width)) + githubExam(exam())
  }
  const { htmlExam } = await import('./html-report.ts')
  return htmlExam(exam())
}

const unwritable = (file: string) =>
  [
    `Cannot write the report to ${file}`,
    'Name a file that you can write, with --report-file',
    'report-file',
  ] as const
