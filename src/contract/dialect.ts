/** Which shape of the record the query answers. `auto` looks at the User-Agent. assumption: dialect */
export type Dialect = 'auto' | 'spec' | 'sdk'

/** What the caller can read: the specification's record, the SDKs', or what the strictest SDK accepts. */
export type Reader = 'spec' | 'sdk' | 'strict-sdk'

/** The caller's shape. The Python SDK raises an error on members that it does not know. */
export function readerOf(dialect: Dialect, userAgent: string | undefined): Reader {
  const sdk = userAgent?.startsWith('SunbayNexusSDK-') ?? false
  if (sdk && userAgent?.startsWith('SunbayNexusSDK-Python/') && dialect !== 'spec') return 'strict-sdk'
  if (dialect === 'auto') return sdk ? 'sdk' : 'spec'
  return dialect
}
