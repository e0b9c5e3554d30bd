/** True for a whole URL with http:// or https://. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text)

/** True for the URL of a PostgreSQL database, as `--store` names it. */
export const isDatabaseUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text)
