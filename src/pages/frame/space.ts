import type { PagesContext } from './pages-context.ts'

/** Name of the space that a page is of; null for the first space, whose name nobody needs. assumption: space-paths */
export const spaceOf = ({ options }: Pick<PagesContext, 'options'>): string | null =>
  options.basePath.split('/').at(-1) || null

/** Title of a page, with the space that it is of; `usual`: in the first space. */
export const titleIn = (space: string | null, title: string, usual: string): string =>
  space === null ? usual : `${title} · ${space} · tillbox`
