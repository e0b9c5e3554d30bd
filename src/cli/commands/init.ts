import { boolean, option } from '@oclif/core/flags'
import { counted } from '../../shared/text/words.ts'
import { BaseCommand } from '../base-command.ts'
import { NotConfirmed, UsageError } from '../errors/exit-codes.ts'
import { languages, otherFrameworks, otherLanguage, otherProject } from '../init/other-languages.ts'
import {
  findFramework,
  frameworks,
  javaScriptProject,
  type PlannedFile,
  parts,
  planAgents,
  planFiles,
  planGitignore,
  type TemplatePart,
  testRunnerOf,
  testRunners,
  writeFiles,
} from '../init/project.ts'
import { isInteractive, requireInteractive } from '../input/confirmation.ts'

const rendering = () => import('../init/render-init.ts')

export default class Init extends BaseCommand {
  static override summary = 'Set up a project: settings, webhook handler, tests, CI.'
  static override description = `Writes into this folder, after it has asked:
  config     tillbox.config.json, options of the project’s sandbox
  webhook    tillbox/webhook.mjs, a handler that verifies X-Signature
  smoke      tillbox/smoke.test.mjs, payments against a sandbox
  ci         .github/workflows/tillbox.yml, a job that runs the tests
  gitignore  keeps .tillbox, the state of the sandbox, out of git
  agents     a section of AGENTS.md, how agents use tillbox

The files are JavaScript with types in JSDoc: a TypeScript project imports them with allowJs. --language writes the parts smoke and gitignore for another language: a helper that gives tests a sandbox, and tests that use it; with --framework a webhook handler, too.

The tests are for vitest or jest where package.json has one of them, else for Node's own runner; --tests chooses.

An existing file is only overwritten when you agree, or with --force. In a non-interactive shell, pass --yes. The framework is then the one in package.json, else node; --framework chooses. --dry-run shows the text of every file.`
  static override examples = [
    'tillbox init',
    'tillbox init --framework express --dry-run',
    'tillbox init --language python --framework flask --dry-run',
    'tillbox init --only config --only smoke --yes --json',
  ]
  static override flags = {
    language: option({
      description: 'Language of the files; default: that of --framework, else javascript.',
      options: languages,
    })(),
    framework: option({
      description: 'Framework of the webhook handler.',
      options: [...frameworks, ...otherFrameworks],
    })(),
    tests: option({
      description: 'Test runner of the tests; default: as package.json says, else node.',
      options: testRunners,
    })(),
    only: option({
      description: 'Part to write; default: all. Can be repeated.',
      options: parts,
      multiple: true,
    })(),
    yes: boolean({ char: 'y', description: 'Do not ask. Existing files with another text are kept.' }),
    force: boolean({ description: 'Replace existing files with another text.' }),
    'dry-run': boolean({ description: 'Show the files, and write nothing.', exclusive: ['yes'] }),
  }

  static override listMember = 'files'

  async run(): Promise<void> {
    const { flags } = await this.parse(Init)
    const folder = process.cwd()
    const other = otherLanguage(flags)
    const chosen = flags.only ?? parts
    const named = frameworks.find((name) => name === flags.framework)
    const framework = async () => named ?? (await frameworkFor(folder, chosen, flags.yes || flags['dry-run']))
    const project = other
      ? otherProject(other, flags)
      : javaScriptProject(folder, chosen, await framework(), flags.tests ?? testRunnerOf(folder))
    const ignored = project.parts.includes('gitignore') ? [planGitignore(folder)] : []
    const agents = project.parts.includes('agents') ? [planAgents(folder, flags.force)] : []
    const files = [...planFiles(folder, project.files, flags.force), ...ignored, ...agents]
    const [{ path = '', why } = {}] = files
    if (files.every(({ state }) => state === 'left-out'))
      throw new UsageError(
        `${path} cannot be written: ${why}`,
        'Move it away, or name other parts with --only',
      )
    const isWritten = !flags['dry-run']
    const result = flags['dry-run'] || flags.yes ? files : await confirmed(files)
    if (isWritten) writeFiles(folder, result)
    const answer = {
      folder,
      written: isWritten,
      files: result.map(({ path, state, why }) => ({ path, state, ...(why && { why }) })),
    }
    await this.show(answer, async () => {
      const { renderFiles, renderNext, renderStates } = await rendering()
      if (isWritten) return renderStates(result, true) + renderNext(folder, project.steps)
      return renderFiles(result) + renderStates(result, false)
    })
  }
}

/** The framework of the webhook handler: of package.json, else node; asks where it may and one is written. */
async function frameworkFor(folder: string, chosen: readonly TemplatePart[], isSilent: boolean) {
  const likely = findFramework(folder)
  if (isSilent || !chosen.includes('webhook') || !isInteractive()) return likely ?? 'node'
  const { choose } = await import('../input/prompt.ts')
  const names = [...frameworks].sort((one, other) => Number(other === likely) - Number(one === likely))
  const answer = await choose(
    'Framework of your webhook handler',
    names.map((value) => ({ name: value === 'node' ? 'node (Node.js alone)' : value, value })),
  )
  return names.find((name) => name === answer) ?? 'node'
}

/** Lists the files, and asks. */
async function confirmed(files: readonly PlannedFile[]): Promise<readonly PlannedFile[]> {
  const { ask } = await import('../input/prompt.ts')
  requireInteractive('Writing files')
  const { renderStates } = await rendering()
  const { errorTheme } = await import('../output/theme.ts')
  process.stderr.write(`${renderStates(files, false, errorTheme)}\n`)
  const result: PlannedFile[] = []
  for (const file of files) {
    const isReplaced = file.state === 'kept' && (await ask(`${file.path} has another text. Replace it?`))
    result.push(isReplaced ? { ...file, state: 'replaced' } : file)
  }
  const count = result.filter(({ state }) => !['unchanged', 'kept', 'left-out'].includes(state)).length
  const isRefused = count === 0 && result.some(({ state }) => state === 'kept')
  if (isRefused || (count > 0 && !(await ask(`Write ${counted(count, 'file')}?`, true))))
    throw new NotConfirmed()
  return result
}
