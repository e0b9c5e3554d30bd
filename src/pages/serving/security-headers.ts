import { secureHeaders } from 'hono/secure-headers'

/** Security headers of every page: no foreign content, no inline code, no frames, no cache. */
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
