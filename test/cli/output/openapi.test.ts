import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openapiDocument } from '../../../src/openapi/document.ts'
import { runCommand } from '../../support/commands/command.ts'

test('openapi prints the document, the same with --json', async () => {
  const plain = await runCommand('openapi')
  expect(plain).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(plain.stdout)).toEqual(openapiDocument())
  expect((await runCommand('openapi --json')).stdout).toBe(plain.stdout)
})

test('openapi --output yaml prints the same document as YAML, or the parts that are chosen', async () => {
  const whole = await runCommand('openapi --output yaml')
  expect(whole).toMatchObject({ code: 0, stderr: '' })
  expect(whole.stdout).toMatch(/^openapi: 3\.1\.\d\ninfo:\n/)
  const [asYaml, asJson] = await Promise.all(
    ['yaml', 'json'].map((format) => runCommand(`openapi --webhooks --output ${format}`)),
  )
  expect(parse(asYaml?.stdout ?? '')).toEqual(JSON.parse(asJson?.stdout ?? ''))
})

test.each([['--json'], ['--fields', 'info']])('openapi --output yaml refuses %s', async (...flags) => {
  const { code, stdout, stderr } = await runCommand(['openapi', '--output', 'yaml', ...flags])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${flags[0]}`) })
  expect(stdout).not.toContain('openapi:')
})

test('openapi --service --webhooks prints these parts alone', async () => {
  const { stdout } = await runCommand('openapi --service --webhooks')
  const { paths, webhooks, components } = JSON.parse(stdout)
  expect(Object.keys(paths).every((path) => path.startsWith('/v1/'))).toBe(true)
  expect(Object.keys(webhooks)).toEqual(['payment-result', 'terminal-event'])
  expect(Object.keys(components.securitySchemes)).toEqual(['apiKey'])
})

test('openapi --fields prints the chosen members of the document', async () => {
  const { stdout } = await runCommand('openapi --json --fields openapi')
  expect(JSON.parse(stdout)).toEqual({ openapi: openapiDocument().openapi })
})
