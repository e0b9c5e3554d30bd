/** Tells that a receiver is unreachable, for the reason `gone`, or with null that it answers again. */
export const presenceText = (receiver: string, gone: string | null): string =>
  gone === null
    ? `${receiver} answers again`
    : `${receiver}: ${gone}; notifications wait, and follow in order`
