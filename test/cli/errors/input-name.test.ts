import { expect, test } from 'vitest'
import { nameFor } from '../../../src/cli/errors/input-name.ts'

test.each(['constructor', 'toString', '__proto__'])(
  'the field %s, whose name every object has, is no flag',
  (field) => {
    expect(nameFor(field, { flags: {}, args: {}, memberFlags: {} }, [])).toBeUndefined()
  },
)
