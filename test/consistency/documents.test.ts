import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationNames } from '../../src/contract/operations.ts'
import { commands } from '../support/commands/manifest.ts'
import { projectFiles, projectRoot, readProjectFile } from '../support/project.ts'
import { openSold, sale } from '../support/service/service.ts'

const filesIn = (folder: string, pattern: RegExp): string[] =>
  projectFiles(folder, pattern).map((name) => join(folder, name))

const own = ['README.md', 'SKILL.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']
const pages = [...own, ...filesIn('docs', /\.md$/), ...filesIn('examples', /\.md$/)]
const sources = [...filesIn('src', /\.tsx?$/), ...filesIn('test', /\.ts$/), ...filesIn('bin', /\.js$/)]

/** Anchors of a page: headings as GitHub names them, and explicit ones. */
function anchorsOf(page: string): Set<string> {
  const text = readProjectFile(page)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)])
}

test('generated parts are fresh (npm run docs)', () => {
  execFileSync(process.execPath, [join(projectRoot, 'bin/docs.js'), '--check'], { stdio: 'pipe' })
})

describe('links', () => {
  test.each(pages)('the links of %s lead to files and headings that exist', (page) => {
    const links = [...readProjectFile(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? page : relative(projectRoot, resolve(projectRoot, dirname(page), path))
      return (
        !existsSync(join(projectRoot, target)) ||
        (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
      )
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('every rule that the source cites is in the API reference', () => {
    const anchors = anchorsOf('docs/api.md')
    const cited = sources.flatMap((name) =>
      [...readProjectFile(name).matchAll(/docs\/api\.md#([\w-]+)/g)].map(([, anchor = '']) => anchor),
    )
    expect(cited.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})

test('the README has at most 170 lines and the two commands for newcomers', () => {
  const readme = readProjectFile('README.md')
  expect(readme.split('\n').length).toBeLessThanOrEqual(171)
  for (const command of ['npm ci && npm run demo', 'npm ci && npm test']) expect(readme).toContain(command)
})

describe('commands', () => {
  const flagsOf = (id: string) =>
    Object.entries(commands[id]?.flags ?? {}).flatMap(([name, { allowNo }]) =>
      allowNo ? [name, `no-${name}`] : [name],
    )
  const required = (rows: Readonly<Record<string, { required?: boolean }>> = {}) =>
    Object.keys(rows).filter((name) => rows[name]?.required)

  /** The command that a text begins with, its flags, and how many other words follow. */
  function commandIn(text: string) {
    const words = text.trim().split(/\s+/)
    const ids = [4, 3, 2, 1].map((count) => words.slice(0, count).join(':'))
    const id = ids.find((each) => each in commands) ?? ''
    const flags = words.flatMap((word) => /^--([^=]+)/.exec(word)?.slice(1) ?? [])
    const others = words.filter((word) => !word.startsWith('--')).length - id.split(':').length
    return {
      id,
      flags,
      others,
      isKnown: id !== '' && flags.every((flag) => ['help', ...flagsOf(id)].includes(flag)),
    }
  }

  test.each(pages)('the commands in %s exist, with their flags', (page) => {
    const blocks = [...readProjectFile(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)
    const lines = blocks.flatMap((text) => text.split('\n'))
    const typed = lines.flatMap((line) => line.split(/\btillbox /).slice(1))
    expect(typed.filter((text) => !commandIn(text.split(/[#&|)]| --(?: |$)/)[0] ?? '').isKnown)).toEqual([])
  })

  /** A call of `command` in the sources: the name, then a word each. */
  const commandCall = /\bcommand\(\s*(['`])(.*?)\1((?:,\s*(?:'[^']*'|[^,()]+(?:\([^()]*\))?))*),?\s*\)/gs
  const valuesIn = (words: string) =>
    words
      .split(',')
      .slice(1)
      .map((word) => ` ${/^\s*'(.*)'\s*$/.exec(word)?.[1] ?? 'VALUE'}`)
      .join('')

  /** What follows `tillbox` in the strings of the sources, to the end of the sentence; VALUE for each value in them. */
  const named = sources
    .filter((name) => name.startsWith('src/'))
    .flatMap((name) => {
      const text = readProjectFile(name)
        .replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '')
        .replace(/['`] \+\n *['`]/g, '')
        .replace(
          commandCall,
          (_call, _quote, name: string, words: string) => `\`tillbox ${name}${valuesIn(words)}\``,
        )
        .replace(/\$\{(`tillbox [^`]*`)\}/g, '$1')
        .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, ' VALUE')
      return [...text.matchAll(/(\S+ ?)\btillbox ([a-z](?:(?!tillbox )[^\n])*)/g)].map(
        ([, before = '', after = '']) => ({
          name,
          before,
          text: (after.split(/[.,;:)]*(?:['"`|]|\\n|<\/|[.,;:)]\s| -- |$)/)[0] ?? '').trim(),
        }),
      )
    })
  const isTopic = (text: string) =>
    Object.keys(commands).some((id) =>
      id.startsWith(`${text.replace(/ +VALUE.*/, '').replaceAll(' ', ':')}:`),
    )
  const isNoun = ({ before, text }: { before: string; text: string }) =>
    /(^|\W)(an?|the|this|as|asks|values) $/i.test(before) || /^(failed|must|nodes)\b/.test(text)

  test('every command that a text of the sources names exists, with its flags', () => {
    const wrong = named.filter(
      (each) => !isNoun(each) && !isTopic(each.text) && !commandIn(each.text).isKnown,
    )
    expect(named.length).toBeGreaterThan(250)
    expect(wrong).toEqual([])
  })

  test('every command that a remedy proposes has its arguments and required flags', () => {
    const proposed = named.filter(
      ({ name, before, text }) =>
        /`$/.test(before) && !isTopic(text) && !/-shapes\.ts$|contract\/evidence\//.test(name),
    )
    const incomplete = proposed.filter(({ text }) => {
      const { id, flags, others } = commandIn(text)
      const isHelp = flags.includes('help')
      const missing = required(commands[id]?.flags).filter((flag) => !flags.includes(flag))
      return !isHelp && (others < required(commands[id]?.args).length || missing.length > 0)
    })
    expect(proposed.length).toBeGreaterThan(100)
    expect(incomplete).toEqual([])
  })
})

test('the API reference lists the fields of the record, in their order', async () => {
  const [, section = ''] = readProjectFile('docs/api.md').split('## Transaction record')
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^- <a[^>]*><\/a>`(\w+)`/gm)]
  const { data, ...service } = await openSold(sale(1000), { dialect: 'spec' })
  const { data: record } = await service.call('query', { transactionId: data.transactionId })
  await service.close()
  expect(listed.map(([, name]) => name)).toEqual(Object.keys(record))
})

test.each(pages)('the files that %s names exist', (page) => {
  const named = [...readProjectFile(page).matchAll(/`((?:src|test|bin|docs|fixtures)\/[\w./-]+)`/g)]
  const isThere = (path: string) =>
    ['', 'examples/java'].some((folder) => existsSync(join(projectRoot, folder, path)))
  expect(named.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([])
})

test.each(pages)('%s has no <name> outside of code, which a reader of the page would not see', (page) => {
  const text = readProjectFile(page).replace(/```[\s\S]*?```|`[^`]*`|<!--[\s\S]*?-->/g, '')
  expect(text.match(/<(?!a id=|\/a>)[^>\n]*>/g)).toBeNull()
})

test('no other file than those of CONTRIBUTING.md lists operations by hand, or compares with the name of one', () => {
  const few = 2
  const any = `'(${operationNames.join('|')})'`
  const comparison = new RegExp(`[!=]== ${any}|${any} [!=]==`)
  const listing = sources.filter((name) => {
    const text = readProjectFile(name)
    const named = operationNames.filter((operation) =>
      new RegExp(`'${operation}'|^ +'?${operation}'?:`, 'm').test(text),
    )
    return name.startsWith('src/') && (named.length > few || comparison.test(text))
  })
  const [, section = ''] = readProjectFile('CONTRIBUTING.md').split('## Add an operation')
  const known = (section.split('\n## ')[0] ?? '').matchAll(/`(src\/[\w./-]+)`/g)
  const named = Array.from(known, ([, path = '']) => path)
  expect(listing).toContain('src/contract/operations/in-person.ts')
  expect(listing.filter((name) => !named.some((each) => name.startsWith(each)))).toEqual([])
})
