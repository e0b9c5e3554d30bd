/** What each file of dist/ was made from: names in dist/, and paths in this folder. */
export declare function sourcesOfFiles(): Promise<ReadonlyMap<string, readonly string[]>>

/** Bundles everything that runs into dist/. */
export declare function bundle(): Promise<void>
