import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The end of what a command of tillbox prints in a folder, as HTML of a terminal window with that many rows. Its colours are those of 256. */
export function terminalWindow(words, rows, folder = root) {
  const { stdout } = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '2', TERM: 'xterm-256color' },
  })
  const shown = stdout.trimEnd().split('\n').slice(-rows).join('\n')
  return `<style>
    body { margin: 0; padding: 20px 24px; background: #fff; color: #1c1c1c }
    pre { margin: 0; font: 14px/1.4 monospace }
    i { display: inline-block; width: 1ch; font-style: normal }
  </style><pre>${drawn(shown)}</pre>`
}

const styles = {
  1: 'font-weight: bold',
  2: 'opacity: 0.6',
  31: 'color: #c00',
  '38;5;29': 'color: #00875f',
  '38;5;31': 'color: #0087af',
  '38;5;130': 'color: #af5f00',
}

/** Styled text as HTML. Errors: a style that it does not know. */
function drawn(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(/[✓✗]/g, '<i>$&</i>') // of another font: one cell all the same
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with ESC
  return escaped.replaceAll(/\x1b\[([\d;]+)m/g, (_, code) => {
    if (['22', '39'].includes(code)) return '</span>'
    if (styles[code] === undefined) throw new Error(`no style ${code}`)
    return `<span style="${styles[code]}">`
  })
}
