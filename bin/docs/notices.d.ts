/** Folders of the packages among sources, each once, by name. `sources`: paths in the project. */
export declare function packagesOf(sources: readonly string[]): readonly string[]
