import { secureHeaders } from 'hono/secure-headers'

/** What every page is served under: nothing from elsewhere, nothing inline, no frame, no cache. */
export const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: 'same-origin', // a form's own origin stays known, and is checked
  xFrameOptions: 'DENY',
  strictTransportSecurity: false, // plain HTTP on loopback
})
