/** Bundles everything that runs into dist/; resolves to what each file was made from: names in dist/, and paths in this folder. */
export declare function bundle(): Promise<ReadonlyMap<string, readonly string[]>>
