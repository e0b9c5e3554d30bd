/** True for a whole URL with http:// or https://. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text)
