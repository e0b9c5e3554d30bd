import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { projectFiles, projectRoot, readProjectFile } from '../support/project.ts'

const yaml = (path: string) => parse(readProjectFile(path), { strict: true, uniqueKeys: true })

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
}

/** Errors: steps that are neither an action of GitHub nor a script that a shell can read. */
function requireSteps(steps: readonly Step[]): void {
  for (const { uses, run, shell = 'bash' } of steps) {
    if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    else
      expect(spawnSync('bash', ['-n'], { input: run }), run).toMatchObject({ status: 0, stderr: Buffer.of() })
    expect(shell).toBe('bash')
  }
}

describe('.github', () => {
  const workflows = readdirSync(join(projectRoot, '.github/workflows'))

  test.each(workflows)('%s has jobs with a limit and rights, of steps that can run', (name) => {
    const { on, permissions, jobs } = yaml(`.github/workflows/${name}`)
    expect(on).toBeDefined()
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values<{ 'timeout-minutes': number; steps: Step[] }>(jobs)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(90)
      requireSteps(job.steps)
    }
  })

  test('every pull request is tested on three systems with the versions of Node that package.json names', () => {
    const { os, node } = yaml('.github/workflows/test.yml').jobs.systems.strategy.matrix
    expect(os.map((name: string) => name.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows'])
    const { engines } = JSON.parse(readProjectFile('package.json'))
    expect(node).toEqual([...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, major]) => Number(major)))
  })

  test('folders of tests that Windows runs exist', () => {
    const [line = ''] = /npx vitest run .*/.exec(readProjectFile('.github/workflows/test.yml')) ?? []
    const folders = line.split(' ').filter((word) => word.startsWith('test/'))
    expect(folders.length).toBeGreaterThan(2)
    for (const folder of folders) expect(readdirSync(join(projectRoot, folder))).not.toEqual([])
  })

  test.each(readdirSync(join(projectRoot, '.github/ISSUE_TEMPLATE')))(
    'the form %s asks for something',
    (name) => {
      const form = yaml(`.github/ISSUE_TEMPLATE/${name}`)
      if (name === 'config.yml') return expect(form).toEqual({ blank_issues_enabled: false })
      expect([form.name, form.description, form.body.length > 0]).toEqual([
        expect.any(String),
        expect.any(String),
        true,
      ])
    },
  )
})

describe('action.yml', () => {
  const { runs, inputs, outputs } = yaml('action.yml')

  test('it uses its inputs, and says nothing that GitHub does not know', () => {
    expect(runs.using).toBe('composite')
    requireSteps(runs.steps)
    const text = readProjectFile('action.yml')
    for (const name of Object.keys(inputs)) expect(text).toContain(`\${{ inputs.${name} }}`)
    expect(Object.keys(outputs)).toEqual(['base-url'])
  })

  test.each([
    '--retries fast',
    '--ephemeral',
    "--state 'of this job' --set captureTip=50",
    '--port 0 --strict',
  ])('its steps start a sandbox with %s, and set its variables for the steps that follow', (flags) => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbox-action-'))
    const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output') }
    const tillbox = join(folder, 'tillbox')
    writeFileSync(
      tillbox,
      `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, 'bin/run.js')}" "$@"\n`,
      {
        mode: 0o755,
      },
    )
    const env = { ...process.env, ...files, PATH: `${folder}:${process.env.PATH}`, FLAGS: flags }
    onTestFinished(() => {
      const [, state = ''] = /^TILLBOX_STATE=(.*)$/m.exec(readFileSync(files.GITHUB_ENV, 'utf8')) ?? []
      spawnSync(tillbox, ['sandbox', 'stop', '--state', state], { cwd: folder, env })
      rmSync(folder, { recursive: true })
    })
    for (const path of Object.values(files)) writeFileSync(path, '')
    const { run } = runs.steps.find(({ id }: { id?: string }) => id === 'start')
    const { status, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], { cwd: folder, env })
    expect([status, String(stderr)]).toEqual([0, ''])
    const variables = Object.fromEntries(
      readFileSync(files.GITHUB_ENV, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/)),
    )
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(['TILLBOX_BASE_URL', 'TILLBOX_API_KEY']))
    const { status: sold } = spawnSync(tillbox, ['sale', '--amount', '1.00'], {
      env: { ...env, ...variables },
    })
    expect(sold).toBe(0)
    expect(readFileSync(files.GITHUB_OUTPUT, 'utf8')).toBe(`base-url=${variables.TILLBOX_BASE_URL}\n`)
  })
})

describe('the types', () => {
  const filesOf = (project: string) => {
    const args = [join(projectRoot, 'node_modules/typescript/bin/tsc'), '-p', project, '--listFilesOnly']
    const { stdout } = spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' })
    return stdout.split('\n').map((path) => relative(projectRoot, path).replaceAll('\\', '/'))
  }
  const isTypeScript = (name: string) => /\.tsx?$/.test(name)
  const within = (folder: string) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter(isTypeScript)
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  const ofBrowser = within('src/pages/browser')

  test.each([
    ['.', 'src', within('src').filter((path) => !ofBrowser.includes(path))],
    ['src/pages/browser', 'the scripts of the pages', ofBrowser],
    [
      'test',
      'bin, test and the settings',
      [...within('bin'), ...within('test'), ...readdirSync(projectRoot).filter(isTypeScript)],
    ],
  ])('tsc -p %s checks every file of %s', (project, _, files) => {
    expect(files.length).toBeGreaterThan(5)
    expect(filesOf(project)).toEqual(expect.arrayContaining(files))
  })

  test('no file of src but the scripts of the pages knows the browser', () => {
    expect(filesOf('.').filter((path) => ofBrowser.includes(path))).toEqual([])
    expect(filesOf('.').filter((path) => /lib\.dom\./.test(path))).toEqual([])
  })
})

test('comments of src stay within the width of its lines, which the formatter does not see', () => {
  const width = JSON.parse(readProjectFile('biome.json')).formatter.lineWidth
  const tooWide = projectFiles('src', /\.tsx?$/).flatMap((name) =>
    readProjectFile(`src/${name}`)
      .split('\n')
      .filter((line) => line.length > width && /^ *(\/\*|\*|\/\/)/.test(line))
      .map((line) => `${name}: ${line}`),
  )
  expect(tooWide).toEqual([])
})
