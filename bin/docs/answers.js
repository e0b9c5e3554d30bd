// JSON Schema of types, read by the compiler: of what each command prints with --json, and of what the sandbox answers.
// The compiler's own API is used: it is called unstable, and the version of TypeScript is fixed for that reason too.
import { join } from 'node:path'
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

/**
 * `answers`: the schema of what each command prints. `wire`: those of what goes over the wire. Of `members` by name, `isMoment` says
 * whether one holds a moment, `isShare` whether a share. A member that is not described is refused, in lists and at any depth.
 */
export function answerSchemas(root, members) {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') }).getProjects()
    return { answers: schemaOfPrinted(project, root, members), wire: schemasOfWire(project, root, members) }
  } finally {
    api.close()
  }
}

/** The schema of src/cli/command-answers.ts: `properties` has one for each command, `$defs` those that have a name. */
function schemaOfPrinted(project, root, members) {
  const home = 'src/cli/command-answers.ts'
  const { typeNamed, schemaOf, object, defs } = readerOf(project, root, { home, ...members, isPrinted: true })
  const error = schemaOf(typeNamed('ErrorAnswer'), '')
  const commands = object(typeNamed('CommandAnswers'), { isStrict: false })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What each command of tillbox prints with --json',
    properties: sorted(commands.properties),
    $defs: { ...sorted(defs), ErrorAnswer: error.$ref ? defs.ErrorAnswer : error },
  }
}

/** The schemas of src/openapi/wire-answers.ts, where a moment may be a number. */
function schemasOfWire(project, root, members) {
  const home = 'src/openapi/wire-answers.ts'
  const { typeNamed, schemaOf, object, defs } = readerOf(project, root, {
    home,
    ...members,
    isPrinted: false,
  })
  const membersOf = (name) => object(typeNamed(name), { isStrict: false }).properties
  schemaOf(typeNamed('RefusedEnvelope'), '')
  return {
    service: Object.fromEntries(Object.entries(membersOf('ServiceAnswers')).map(namedAnswer)),
    control: membersOf('ControlAnswers'),
    webhooks: membersOf('WebhookBodies'),
    defs: sorted(defs),
  }

  /** An answer without a name of its own has that of its operation: `TipAdjustAnswer`. */
  function namedAnswer([operation, schema]) {
    if (schema.properties === undefined) return [operation, schema]
    const name = `${operation}-answer`.replaceAll(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase())
    defs[name] = schema
    return [operation, { $ref: `#/$defs/${name}` }]
  }
}

const sorted = (members) =>
  Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))

/** What reads types of the file `home`. `isPrinted`: times are text, as commands print them. */
function readerOf({ checker, program }, root, { home, isMoment, isShare, isPrinted }) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, home)))
  const typeNamed = (name) =>
    checker.getDeclaredTypeOfSymbol(checker.getExportsOfModule(module).find((each) => each.name === name))
  const inferred = new Map(
    contractTypes().map((symbol) => [checker.getDeclaredTypeOfSymbol(symbol).id, symbol]),
  )
  const defs = {}
  return { typeNamed, schemaOf, object, defs }

  /** Types that the contract infers from its schemas. */
  function contractTypes() {
    const files = program.getSourceFileNames().filter((name) => name.startsWith(join(root, 'src/contract')))
    return files
      .flatMap((name) => checker.getSymbolAtLocation(program.getSourceFile(name)) ?? [])
      .flatMap((each) => checker.getExportsOfModule(each))
      .filter(({ flags }) => flags & SymbolFlags.TypeAlias)
  }

  /** The schema of a type; of one with a name a reference. */
  function schemaOf(type, member) {
    const name = nameOf(type)
    if (name === undefined) return shapeOf(type, member)
    if (!(name in defs)) {
      defs[name] = {} // a type may hold itself
      defs[name] = { ...described(symbolOf(type)), ...shapeOf(type, member) }
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** Name of a type that the source names, where it is an object or one of several. */
  function nameOf(type) {
    if (type.isUnionType() && (isWord(type) || type.getTypes().some(isNothing))) return undefined
    return type.isUnionType() || type.isObjectType() ? symbolOf(type)?.name : undefined
  }

  /** The alias or interface of a type, if it is of ours; an inferred type has the name of the contract for it. */
  function symbolOf(type) {
    const alias = type.getAliasTypeArguments().length === 0 ? type.getAliasSymbol() : undefined
    const symbol = alias ?? (type.isClassOrInterface() ? type.getSymbol() : undefined)
    return symbol?.declarations.some(isOurs) ? symbol : inferred.get(type.id)
  }

  function isOurs({ path }) {
    const { fileName } = program.getSourceFile(path)
    return fileName.startsWith(join(root, 'src'))
  }

  function shapeOf(type, member) {
    if (type.isUnionType())
      return union(
        type.getTypes().filter((one) => !isNothing(one)),
        member,
      )
    if (type.isLiteralType()) return { const: type.value }
    const { flags } = type
    if (flags & TypeFlags.Null) return { type: 'null' }
    if (flags & TypeFlags.String)
      return isTime(member) ? { type: 'string', format: 'date-time' } : { type: 'string' }
    if (flags & TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & TypeFlags.Number) return number(member)
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {}
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' }
    if (checker.isTupleType(type)) return tuple(checker.getTypeArguments(type), member)
    if (checker.isArrayLikeType(type))
      return { type: 'array', items: schemaOf(checker.getIndexInfosOfType(type)[0].valueType, member) }
    if (type.isObjectType() || type.isIntersectionType()) return object(type, { isStrict: true })
    throw new Error(`${home}: no schema for ${checker.typeToString(type)} of ${member}`)
  }

  function number(member) {
    if (!isPrinted && (isMoment(member) || member.endsWith('Ms'))) return { type: 'number' }
    if (isMoment(member)) return { type: 'string', format: 'date-time' }
    return isShare(member) ? { type: 'number', minimum: 0, maximum: 1 } : { type: 'integer' }
  }

  function tuple(types, member) {
    const items = types.map((one) => schemaOf(one, member))
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length }
  }

  /** Words become one list of words, what may be null a list of types, and the rest a choice. */
  function union(types, member) {
    const literals = types.filter((one) => one.isLiteralType())
    const others = types.filter((one) => !one.isLiteralType())
    const isOdd = others.filter(({ flags }) => !(flags & TypeFlags.Null)).length + literals.length > 1
    const schemas = others.map((one) => schemaOf(one, isOdd ? '' : member))
    if (literals.length > 0) schemas.unshift(choice(literals.map(({ value }) => value)))
    if (schemas.length === 1) return schemas[0]
    const plain = schemas.filter(
      (one) => typeof one.type === 'string' && one.type !== 'object' && one.type !== 'array',
    )
    if (plain.length < schemas.length) return { anyOf: schemas.flatMap((one) => one.anyOf ?? [one]) }
    const { type: _, enum: words, ...rest } = Object.assign({}, ...plain)
    const isNull = plain.some(({ type }) => type === 'null')
    return {
      type: [...new Set(plain.map(({ type }) => type))],
      ...rest,
      ...(words && { enum: isNull ? [...words, null] : words }),
    }
  }

  function choice(values) {
    if (values.every((value) => typeof value === 'boolean') && values.length > 1) return { type: 'boolean' }
    return { type: typeof values[0], enum: values }
  }

  function object(type, { isStrict }) {
    if (type.isIntersectionType() && type.getTypes().some((one) => checker.isArrayLikeType(one)))
      throw new Error(`${home}: ${checker.typeToString(type)} is a list that is something else, too`)
    const members = checker.getPropertiesOfType(type)
    const [index] = checker.getIndexInfosOfType(type)
    if (members.length === 0 && index === undefined) return {}
    const properties = members.map((symbol) => [
      symbol.name,
      { ...described(symbol), ...schemaOf(checker.getTypeOfSymbol(symbol), symbol.name) },
    ])
    const required = members.filter((symbol) => !isOptional(symbol)).map(({ name }) => name)
    return {
      type: 'object',
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(isStrict && {
        additionalProperties: index === undefined ? false : schemaOf(index.valueType, ''),
      }),
    }
  }

  function isOptional(symbol) {
    if (symbol.flags & SymbolFlags.Optional) return true
    const type = checker.getTypeOfSymbol(symbol)
    return type.isUnionType() && type.getTypes().some(isNothing)
  }

  function described(symbol) {
    const text = uncited((commentOf(symbol) || commentOf(schemaNamed(symbol))).replace(/\s+/g, ' ').trim())
    return text === '' ? {} : { description: isPrinted ? printed(text) : text }
  }

  function commentOf(symbol) {
    return symbol === undefined ? '' : checker.getDocumentationCommentOfSymbol(symbol)
  }

  /** The schema that a type of the contract is inferred from: `terminalList` of `TerminalList`, or `storySchema` of `Story`. */
  function schemaNamed({ name, flags, declarations: [declaration] }) {
    if (!(flags & SymbolFlags.TypeAlias)) return undefined
    const schema = name.charAt(0).toLowerCase() + name.slice(1)
    const resolved = (each) => checker.resolveName(each, SymbolFlags.Variable, declaration.resolve())
    return resolved(`${schema}Schema`) ?? resolved(schema)
  }

  /** Text that is a moment, too: `sandboxTime`, `validUntil`. */
  function isTime(member) {
    return isMoment(member) || (/(Time|Until)$/.test(member) && !localTimes.includes(member))
  }
}

/** What a comment says of times as they are printed: as text. */
const printed = (text) =>
  text
    .replace(/\b(times?\b[^.;]*?),? in milliseconds/gi, '$1')
    .replace('Milliseconds of the sandbox clock', 'By the sandbox clock')

/** A comment without its citations. */
const uncited = (text) => text.replace(/ ?(docs\/\S+|assumption: .*)$/, '')

const isNothing = ({ flags }) => (flags & TypeFlags.Undefined) !== 0
const isWord = (type) => type.getTypes().every((one) => one.isLiteralType())

/** Times in the merchant's zone, without an offset, as the service sends them. */
const localTimes = ['createTime', 'completeTime', 'eventTime']
