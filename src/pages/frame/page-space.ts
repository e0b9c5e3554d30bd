import type { PagesContext } from './pages-context.ts'

/** Name of the space of a page; null for the first space, which is not named. assumption: space-paths */
export const spaceOf = ({ options }: Pick<PagesContext, 'options'>): string | null =>
  options.basePath.split('/').at(-1) || null

/** Title of a page, with its space; `usual`: title in the first space. */
export const titleIn = (space: string | null, title: string, usual: string): string =>
  space === null ? usual : `${title} · ${space} · tillbox`
