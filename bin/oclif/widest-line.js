// In place of widest-line, which comes with a string-width of its own.
import width from 'fast-string-width'

export default (text) => Math.max(0, ...text.split('\n').map((line) => width(line)))
