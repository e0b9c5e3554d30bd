/** The parser in a module of its own: a bundle hands out names of a CommonJS package only where they are imported by name. */
export { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, stringify, visit } from 'yaml'
