import type { Control } from '../control.ts'
import { type ControlName, controls } from './controls.ts'

const rows = Object.entries(controls).map(([name, { method, path }]) => ({
  name: name as ControlName,
  method: method as Control['method'],
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** Control operations of a path, such as `/_sandbox/faults/1`, with their methods. */
export const controlsAt = (path: string): readonly { name: ControlName; method: Control['method'] }[] =>
  rows.filter(({ pattern }) => pattern.test(path))
