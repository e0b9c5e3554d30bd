/** The declarations of the library. `root`: folder of the project, absolute. */
export declare function declarations(root: string): string

/** The same for an ES module, which passes on what is there for `require`. */
export declare const moduleDeclarations: string

/** The declarations of a small entry over the library, which it finds as `module`. */
export declare function runnerDeclarations(root: string, name: string, module: string): string
