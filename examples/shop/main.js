import { openShop } from './server.js'

/** Runs the shop with the settings that `tillbox exec` gives its command. */
const { TILLBOX_BASE_URL, TILLBOX_API_KEY, TILLBOX_APP_ID, TILLBOX_MERCHANT_ID } = process.env
const { TILLBOX_TERMINAL_SN, TILLBOX_WEBHOOK_SECRET, NEXT_API_KEY } = process.env

if (TILLBOX_BASE_URL === undefined) {
  console.error('TILLBOX_BASE_URL is not set: run tillbox exec -- node examples/shop/main.js')
  process.exit(1)
}
const { url } = await openShop({
  service: {
    url: TILLBOX_BASE_URL,
    apiKeys: [TILLBOX_API_KEY, NEXT_API_KEY].filter(Boolean),
    appId: TILLBOX_APP_ID,
    merchantId: TILLBOX_MERCHANT_ID,
    terminalSn: TILLBOX_TERMINAL_SN,
  },
  webhookSecret: TILLBOX_WEBHOOK_SECRET,
  port: Number(process.env.PORT ?? 3000),
})
console.log(`The shop is open at ${url}`)
