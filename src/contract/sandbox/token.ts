/** A token that a sandbox can be started with: it stands in headers, cookies and URLs as it is. assumption: sandbox-token */
export const tokenPattern = /^[A-Za-z0-9._~-]{16,128}$/

/** What `--token` says to have one made. */
export const generateToken = 'generate'
