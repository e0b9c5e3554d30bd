// Writes the types of the library as one file without imports: what valibot infers is written out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'

const { NodeBuilderFlags: Build, SymbolFlags, TypeFlags } = ts
const flags =
  Build.NoTruncation |
  Build.UseAliasDefinedOutsideCurrentScope |
  Build.InTypeAlias |
  Build.MultilineObjectLiterals

/** The declarations of the library. `root`: folder of the project, absolute. Errors: a type of a package shows. */
export function declarations(root) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const path = join(root, 'src/index.ts')
  const program = ts.createProgram([path], options)
  return new Writer(program, root, path).write()
}

/** The same for an ES module, which passes on what is there for `require`. */
export const moduleDeclarations = "export * from './index.cjs'\n"

/** The declarations of a small entry over the library, which it finds as `module`. */
export const runnerDeclarations = (root, name, module) =>
  ts
    .transpileDeclaration(readFileSync(join(root, `src/${name}.ts`), 'utf8'), { fileName: `${name}.ts` })
    .outputText.replaceAll('./index.ts', module)

class Writer {
  #names = new Map() // symbol → name
  #waiting = []
  #printer = ts.createPrinter({ removeComments: false })

  constructor(program, root, path) {
    this.program = program
    this.checker = program.getTypeChecker()
    this.source = join(root, 'src')
    this.file = program.getSourceFile(path)
  }

  write() {
    const { checker } = this
    const exported = checker
      .getExportsOfModule(checker.getSymbolAtLocation(this.file))
      .map((symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    for (const symbol of exported) this.#nameOf(symbol)
    const blocks = []
    for (const symbol of this.#later()) blocks.push(this.#declare(symbol))
    return `/// <reference lib="esnext.disposable" />\n\n${blocks.join('\n\n')}\n`
  }

  *#later() {
    for (let symbol = this.#waiting.shift(); symbol; symbol = this.#waiting.shift()) yield symbol
  }

  /** The name of a declaration of ours, which is then written too. */
  #nameOf(symbol) {
    const known = this.#names.get(symbol)
    if (known !== undefined) return known
    const taken = [...this.#names.values()]
    let name = symbol.name
    for (let count = 2; taken.includes(name); count++) name = `${symbol.name}${count}`
    this.#names.set(symbol, name)
    this.#waiting.push(symbol)
    return name
  }

  /** Exported, whatever it is: who is given a value wants to name its type. */
  #declare(symbol) {
    const { checker } = this
    const head = `${commentOf(symbol, checker)}export `
    const name = this.#nameOf(symbol)
    if (symbol.flags & SymbolFlags.Class)
      return `${head}declare class ${name} extends Error ${this.#class(symbol)}`
    if (symbol.flags & SymbolFlags.Interface)
      return `${head}interface ${name}${parametersOf(symbol)} ${this.#members(checker.getDeclaredTypeOfSymbol(symbol))}`
    if (symbol.flags & SymbolFlags.TypeAlias) return `${head}type ${name} = ${this.#alias(symbol)}`
    const type = checker.getTypeOfSymbol(symbol)
    if (symbol.flags & SymbolFlags.Function)
      return type
        .getCallSignatures()
        .map((signature) => `${head}declare function ${name}${this.#signature(signature)}`)
        .join('\n')
    return `${head}declare const ${name}: ${this.#type(type)}`
  }

  #alias(symbol) {
    const copied = this.#copied(symbol.declarations[0].type)
    if (copied !== undefined) return copied
    const type = this.checker.getDeclaredTypeOfSymbol(symbol)
    return type.flags & TypeFlags.Object &&
      type.getCallSignatures().length === 0 &&
      !isListLike(this.checker, type)
      ? this.#members(type)
      : this.#type(type)
  }

  #class(symbol) {
    const { checker } = this
    const [declaration] = symbol.declarations
    const own = declaration.members.flatMap((member) => {
      if (ts.isConstructorDeclaration(member)) {
        const parameters = member.parameters.map((each) => this.#parameter(each.symbol, each))
        const fields = member.parameters.filter(
          (each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Readonly,
        )
        return [
          `  constructor(${parameters.join(', ')})`,
          ...fields.map((each) => this.#property(checker.getSymbolAtLocation(each.name), each)),
        ]
      }
      if (ts.isPrivateIdentifier(member.name)) return []
      // the only static member is the name of an error, which each instance has too: src/named-error.ts
      if (ts.hasStaticModifier(member))
        return [`  readonly name: ${this.#type(checker.getTypeOfSymbolAtLocation(member.symbol, member))}`]
      return [this.#property(member.symbol, member)]
    })
    return `{\n${own.join('\n')}\n}`
  }

  #property(symbol, declaration) {
    return `${commentOf(symbol, this.checker, '  ')}  readonly ${symbol.name}: ${this.#type(this.checker.getTypeOfSymbolAtLocation(symbol, declaration))}`
  }

  #members(type) {
    const { checker } = this
    const lines = checker.getPropertiesOfType(type).map((symbol) => {
      const optional = symbol.flags & SymbolFlags.Optional ? '?' : ''
      const name = symbol.escapedName.startsWith('__@asyncDispose')
        ? '[Symbol.asyncDispose]'
        : /^[A-Za-z_$][\w$]*$/.test(symbol.name)
          ? symbol.name
          : JSON.stringify(symbol.name)
      const text = this.#written(symbol) ?? this.#type(checker.getTypeOfSymbol(symbol))
      return `${commentOf(symbol, checker, '  ')}  readonly ${name}${optional}: ${text}`
    })
    const index = checker.getIndexInfosOfType(type)[0]
    if (index) lines.push(`  readonly [name: string]: ${this.#type(index.type)}`)
    return `{\n${lines.join('\n')}\n}`
  }

  #isOurs(symbol) {
    return symbol.declarations?.[0]?.getSourceFile().fileName.startsWith(this.source) === true
  }

  /** The type of a member as the source has it, where every name in it can be declared; undefined otherwise. */
  #written(symbol) {
    const declaration = symbol.valueDeclaration
    if (declaration === undefined || !declaration.getSourceFile().fileName.startsWith(this.source))
      return undefined
    if (ts.isPropertySignature(declaration)) return this.#copied(declaration.type)
    if (!ts.isMethodSignature(declaration)) return undefined
    const parameters = declaration.parameters.map((each) => this.#copied(each))
    const result = this.#copied(declaration.type)
    const all = [...parameters, result]
    return all.includes(undefined) ? undefined : `(${parameters.join(', ')}) => ${result}`
  }

  /** A piece of the source with our names for what is declared; undefined where it shows something generic. */
  #copied(node) {
    const names = []
    const find = (inner) => {
      if (ts.isTypeQueryNode(inner) || ts.isIndexedAccessTypeNode(inner) || ts.isConditionalTypeNode(inner))
        return false
      if (ts.isTypeReferenceNode(inner)) {
        const found = this.checker.getSymbolAtLocation(inner.typeName)
        const symbol = found.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found
        if (this.#isOurs(symbol) && !(symbol.flags & SymbolFlags.TypeParameter)) {
          if (symbol.declarations[0].typeParameters?.length) return false
          names.push([inner.typeName, symbol])
        }
      }
      return ts.forEachChild(inner, (child) => (find(child) ? undefined : true)) !== true
    }
    if (!find(node)) return undefined
    const start = node.getStart()
    let text = node.getText()
    for (const [name, symbol] of names.toReversed())
      text = text.slice(0, name.getStart() - start) + this.#nameOf(symbol) + text.slice(name.getEnd() - start)
    return text
  }

  #signature(signature, arrow = ':') {
    const parameters = signature.parameters.map((each) => this.#parameter(each, each.valueDeclaration))
    return `(${parameters.join(', ')})${arrow} ${this.#type(signature.getReturnType())}`
  }

  #parameter(symbol, declaration) {
    const optional = this.checker.isOptionalParameter(declaration)
    const name = ts.isIdentifier(declaration.name) ? declaration.name.text : 'options'
    return `${name}${optional ? '?' : ''}: ${this.#type(this.checker.getTypeOfSymbolAtLocation(symbol, declaration), optional)}`
  }

  /** A type as text; names of ours are noted, so that they are written too. */
  #type(type, isOptional = false) {
    const { checker } = this
    const shown = isOptional ? withoutUndefined(checker, type) : type
    const [signature, ...more] = shown.getCallSignatures()
    if (signature !== undefined && more.length === 0 && !isNamed(shown))
      return this.#signature(signature, ' =>')
    if (shown.symbol?.name === 'Promise') return `Promise<${this.#type(checker.getTypeArguments(shown)[0])}>`
    if (shown.aliasTypeArguments?.length && this.#isOurs(shown.aliasSymbol))
      return (shown.isUnion() ? shown.types : [shown]).map((each) => this.#members(each)).join(' | ')
    const node = checker.typeToTypeNode(shown, undefined, isNamed(shown) ? flags & ~Build.InTypeAlias : flags)
    const rename = (context) => (root) => {
      const visit = (inner) => {
        if (ts.isTypeReferenceNode(inner) || ts.isImportTypeNode(inner))
          return this.#reference(inner, context, visit)
        return ts.visitEachChild(inner, visit, context)
      }
      return ts.visitNode(root, visit)
    }
    const [renamed] = ts.transform(node, [rename]).transformed
    return this.#printer.printNode(ts.EmitHint.Unspecified, renamed, this.file)
  }

  #reference(node, context, visit) {
    const entity = ts.isImportTypeNode(node) ? node.qualifier : node.typeName
    const last = ts.isQualifiedName(entity) ? entity.right : entity
    const symbol = last.symbol
    const where = symbol?.declarations?.[0]?.getSourceFile().fileName ?? ''
    if (where.startsWith(this.source)) {
      if (symbol.flags & SymbolFlags.TypeAlias && node.typeArguments?.length)
        throw new Error(`${symbol.name}<…> is generic: the library must not show it here`)
      return ts.factory.createTypeReferenceNode(
        this.#nameOf(symbol),
        node.typeArguments?.map((each) => ts.visitNode(each, visit)),
      )
    }
    if (/node_modules\/(?!@types\/node|typescript|vitest|@vitest)/.test(where))
      throw new Error(`${symbol.name} of ${where} shows in the library`)
    return ts.visitEachChild(node, visit, context)
  }
}

const isNamed = (type) =>
  type.aliasSymbol !== undefined || (type.symbol?.flags ?? 0) & (SymbolFlags.Interface | SymbolFlags.Class)

const isListLike = (checker, type) => checker.isArrayType(type) || checker.isTupleType(type)

/** A union without undefined, unless null is in it too: both would go. */
const withoutUndefined = (checker, type) =>
  type.isUnion() && !type.types.some((each) => each.flags & TypeFlags.Null)
    ? checker.getNonNullableType(type)
    : type

const parametersOf = (symbol) => {
  const parameters = symbol.declarations[0].typeParameters ?? []
  return parameters.length === 0 ? '' : `<${parameters.map((each) => each.getText()).join(', ')}>`
}

function commentOf(symbol, checker, indent = '') {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  return text === '' ? '' : `${indent}/** ${text.replaceAll('\n', ' ')} */\n`
}
