import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../support/commands/manifest.ts'
import { readProjectFile } from '../support/project.ts'

const [github, gitlab, junit] = [...readProjectFile('docs/ci.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, text = '']) => parse(text, { strict: true, uniqueKeys: true }),
)

/** Errors: a command of tillbox that there is not, or a flag that it has not. */
function requireKnown(words: readonly string[]): void {
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined)
  const named = [own.slice(0, 2).join(':'), own[0] ?? ''].find((id) => id in commands)
  expect(named, words.join(' ')).toBeDefined()
  for (const word of own.filter((word) => word.startsWith('--')))
    expect(Object.keys(commands[named ?? '']?.flags ?? {})).toContain(word.slice(2))
}

const requireKnownIn = (lines: readonly string[]) => {
  const ours = lines.flatMap((line) => /npx tillbox (.*)/.exec(line)?.[1] ?? [])
  expect(ours).toHaveLength(1)
  for (const line of ours) requireKnown(line.split(' '))
}

describe('docs/ci.md', () => {
  test('the GitHub Actions workflow has what a workflow must have, and nothing unknown', () => {
    expect(Object.keys(github)).toEqual(['name', 'on', 'permissions', 'jobs'])
    const { payments } = github.jobs
    expect(Object.keys(payments)).toEqual(['runs-on', 'timeout-minutes', 'steps'])
    for (const step of payments.steps) {
      expect(['uses', 'run'].filter((name) => name in step)).toHaveLength(1)
      for (const name of Object.keys(step)) expect(['uses', 'run', 'with', 'if']).toContain(name)
      if (step.uses) expect(step.uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    }
    requireKnownIn(payments.steps.flatMap(({ run = [] }) => run))
    const written = readProjectFile('fixtures/init/tillbox.yml').match(/actions\/[\w-]+@v\d+/g) ?? []
    expect(payments.steps.map(({ uses }: { uses?: string }) => uses)).toEqual(expect.arrayContaining(written))
  })

  test('the GitLab job has what a job must have, and nothing unknown', () => {
    const { payments } = gitlab
    expect(Object.keys(payments)).toEqual(['image', 'timeout', 'cache', 'script', 'artifacts'])
    expect(payments.artifacts).toMatchObject({ when: 'on_failure', paths: ['tillbox-artifacts'] })
    requireKnownIn(payments.script)
    requireKnownIn(junit.script)
    expect(junit.script.join('\n')).toContain(`--report-file ${junit.artifacts.reports.junit} `)
  })
})

describe('Dockerfile', () => {
  const text = readProjectFile('Dockerfile').replace(/\\\n/g, ' ')
  const final = text.slice(text.lastIndexOf('\nFROM ') + 1)
  const instructionOf = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(final)?.[1] ?? ''

  test('the image runs as an unprivileged user and keeps the state in a volume', () => {
    expect(instructionOf('USER')).toBe('node')
    expect(final.indexOf('\nUSER ')).toBeLessThan(final.indexOf('\nCMD '))
    expect(instructionOf('ENV')).toBe(`TILLBOX_STATE=${instructionOf('VOLUME')}`)
    expect(JSON.parse(instructionOf('ENTRYPOINT'))).toEqual(['tillbox'])
  })

  test('the package is made by its own script, which builds what the copied sources lack', () => {
    expect(readProjectFile('.dockerignore').split('\n')).toContain('dist')
    expect(text).toMatch(/ npm ci .* && npm pack /)
    expect(text.slice(0, text.lastIndexOf('\nFROM '))).not.toContain('--ignore-scripts')
  })

  test('the commands of the Dockerfile are commands of tillbox', () => {
    requireKnown(JSON.parse(instructionOf('CMD')))
    requireKnown(JSON.parse(/ CMD (\[.*\])$/.exec(instructionOf('HEALTHCHECK'))?.[1] ?? '').slice(1))
  })
})
