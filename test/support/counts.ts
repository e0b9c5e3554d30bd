/** How often a property is tried or a round is run: `usual` in `npm test`, `long` in `npm run test:long`. */
export const times = (usual: number, long: number): number => (process.env.TILLBOX_LONG ? long : usual)
