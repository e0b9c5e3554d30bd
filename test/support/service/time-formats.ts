/** Times as the service writes them. */

export const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

export const isoWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/
