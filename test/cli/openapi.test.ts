import { expect, test } from 'vitest'
import { openapiDocument } from '../../src/openapi/document.ts'
import { runCommand } from '../support/command.ts'

test('openapi prints the document, the same with --json', async () => {
  const plain = await runCommand(['openapi'])
  expect(plain).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(plain.stdout)).toEqual(openapiDocument())
  expect((await runCommand(['openapi', '--json'])).stdout).toBe(plain.stdout)
})

test('openapi --service --webhooks prints these parts alone', async () => {
  const { stdout } = await runCommand(['openapi', '--service', '--webhooks'])
  const { paths, webhooks, components } = JSON.parse(stdout)
  expect(Object.keys(paths).every((path) => path.startsWith('/v1/'))).toBe(true)
  expect(Object.keys(webhooks)).toEqual(['payment-result', 'terminal-event'])
  expect(Object.keys(components.securitySchemes)).toEqual(['apiKey'])
})

test('openapi --fields prints members of it', async () => {
  const { stdout } = await runCommand(['openapi', '--json', '--fields', 'openapi'])
  expect(JSON.parse(stdout)).toEqual({ openapi: openapiDocument().openapi })
})
