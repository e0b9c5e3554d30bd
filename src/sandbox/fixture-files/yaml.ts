/** The parser in a module of its own: a bundle has names of a CommonJS package only by named imports. */
export { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, stringify, visit } from 'yaml'
