// In place of wrap-ansi, which measures each character with a large expression.
export { wrapAnsi as default } from 'fast-wrap-ansi'
