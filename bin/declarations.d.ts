/** The declarations of the library. `root`: folder of the project, absolute. */
export declare function declarations(root: string): string

/** The declarations of a small entry over the library, which it finds as `module`. */
export declare function runnerDeclarations(root: string, name: string, module: string): string
