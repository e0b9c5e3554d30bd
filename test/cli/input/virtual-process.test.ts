import { expect, test } from 'vitest'
import '../../support/commands/virtual-process.ts'

test('a library that puts back what it found in a virtual process takes no message from the real one', () => {
  const { emit } = process
  Object.assign(process, { emit: () => true })
  expect(process.emit).toBe(emit)
})
