/** What the service offers to everybody; it has keys of its own. */
export const ofService = /^\/(v1|api)(\/|$)/

/** What shoppers use, who have neither key nor token. */
export const ofShoppers = /^\/(checkout|_assets)\//
