/** What each file of dist/ was made from: names in dist/, and paths in this folder. */
export declare function sourcesOfFiles(): Promise<ReadonlyMap<string, readonly string[]>>

/** Bundles everything that runs into dist/; resolves to what each file was made from. */
export declare function bundle(): Promise<ReadonlyMap<string, readonly string[]>>
