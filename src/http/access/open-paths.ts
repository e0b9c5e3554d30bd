/** Paths of the service, which are open to everyone and protected by API keys. */
export const ofService = /^\/(v1|api)(\/|$)/

/** Paths of shoppers, who have neither key nor token. */
export const ofShoppers = /^\/(checkout|_assets)\//
