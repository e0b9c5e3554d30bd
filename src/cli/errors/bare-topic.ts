import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.ts'
import { exitCodes } from './exit-codes.ts'
import { reportFailure } from './render-failure.ts'

/** The commands of a topic, such as `terminal`, when nothing but its name and --json was typed; else none. */
export function commandsOfTopic(argv: readonly string[]): readonly string[] {
  const [word = '', ...others] = argv.filter((each) => !each.startsWith('-'))
  if (word === '' || others.length > 0 || argv.some((each) => each === '--help' || each === '-h')) return []
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'oclif.manifest.json'), 'utf8')) as {
    readonly commands: Readonly<Record<string, unknown>>
  }
  const ids = Object.keys(manifest.commands)
  return ids.includes(word)
    ? []
    : ids.filter((id) => id.startsWith(`${word}:`)).map((id) => id.replaceAll(':', ' '))
}

/** A topic alone is help for people, and no JSON document: said as every wrong usage is. */
export function refuseTopic(commands: readonly string[]): void {
  const [topic = ''] = commands[0]?.split(' ') ?? []
  const names = commands.map((each) => each.slice(topic.length + 1)).join(', ')
  const message = `tillbox ${topic} is not a command, so it prints no JSON`
  const remedy = `Name one: ${names}. See tillbox ${topic} --help`
  reportFailure({ exitCode: exitCodes.usage, message, remedy }, true)
}
