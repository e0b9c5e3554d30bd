// In place of string-width, which measures each character with a large expression.
export { default } from 'fast-string-width'
