/** Light, dark, or the system's theme; set by a button in the masthead, kept by the browser. */

const themes = ['auto', 'light', 'dark'] as const
type ColorTheme = (typeof themes)[number]

/** Where the choice is kept. A browser may refuse: then the page looks as the system does. */
const key = 'tillbox-theme'

function storedTheme(): ColorTheme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto'
  } catch {
    return 'auto' // storage is switched off
  }
}

function keep(theme: ColorTheme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    return // storage is switched off: the choice lasts as long as the page
  }
}

function apply(theme: ColorTheme): void {
  document.documentElement.dataset.theme = theme
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-switch]')) {
    button.setAttribute('aria-label', `Theme: ${theme}`)
    button.title = `Theme: ${theme}`
  }
}

/** Runs before the page is drawn, so that it does not change its colours before the reader's eyes. */
apply(storedTheme())
document.addEventListener('DOMContentLoaded', () => apply(storedTheme()))
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element && target.closest('[data-theme-switch]'))) return
  const shown = themes.indexOf(document.documentElement.dataset.theme as ColorTheme)
  const theme = themes[(shown + 1) % themes.length] ?? 'auto'
  keep(theme)
  apply(theme)
})
