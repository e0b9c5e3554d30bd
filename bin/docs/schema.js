import { codes } from './markdown.js'

/** Type, limits and meaning of a field, read from its valibot schema. */
export function describeField(schema) {
  const variants = variantsOf(schema)
  const { rules } = unfold(schema)
  return {
    type: variants.map(typeOf).join(' or '),
    limits: variants.map(limitsOf).find((text) => text !== '') ?? '',
    meaning: rules.find(({ type }) => type === 'description')?.description ?? '',
  }
}

/** True for a field that may be left out. */
export const isOptional = ({ type }) => type === 'nullish' || type === 'optional'

/** The fields inside a field, as `[path, schema]`, at any depth. */
export function innerFields(path, schema) {
  for (const variant of variantsOf(schema)) {
    const { base } = unfold(variant)
    const { entries } = base.type === 'array' ? unfold(base.item).base : base
    const at = base.type === 'array' ? `${path}[]` : path
    if (entries !== undefined)
      return Object.entries(entries).flatMap(([name, field]) => [
        [`${at}.${name}`, field],
        ...innerFields(`${at}.${name}`, field),
      ])
  }
  return []
}

/** A schema without `optional`, as its base and the rules after it. */
function unfold(schema) {
  const plain = 'wrapped' in schema ? schema.wrapped : schema
  const [base, ...rules] = plain.pipe ?? [plain]
  return { base, rules }
}

/** A field that takes two types chooses its schema by the value. */
function variantsOf(schema) {
  const { base } = unfold(schema)
  return base.type === 'lazy' ? [...new Set([0, {}, []].map((value) => base.getter(value)))] : [schema]
}

function typeOf(schema) {
  const { base, rules } = unfold(schema)
  if (base.type === 'array') return `list of ${typeOf(base.item)}s`
  if (base.type === 'picklist') return 'string'
  return rules.some(({ type }) => type === 'safe_integer') ? 'integer' : base.type
}

/** Its limits. A check of an object is about one of its members, whose meaning says it. */
function limitsOf(schema) {
  const { base, rules } = unfold(schema)
  if (base.type === 'picklist') return codes(base.options)
  const limit = (type) => rules.find((rule) => rule.type === type)?.requirement
  const texts = [
    range(limit('min_value'), limit('max_value')),
    range(limit('min_length'), limit('max_length'), base.type === 'array' ? ' entries' : ' characters'),
    ...rules
      .filter(({ type }) => type === 'regex' || (type === 'check' && base.type !== 'object'))
      .map(({ message }) => message.replace(/^must be (an? )?/, '')),
  ]
  return texts.filter((text) => text !== '').join('; ')
}

function range(least, most, unit = '') {
  const show = (count) => count.toLocaleString('en-US') + unit
  if (least !== undefined && most !== undefined) return `${least} to ${show(most)}`
  if (most !== undefined) return `at most ${show(most)}`
  return least === undefined ? '' : `at least ${show(least)}`
}
