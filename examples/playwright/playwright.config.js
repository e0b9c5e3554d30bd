import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.js',
  reporter: 'list',
  use: {
    sandboxOptions: { retries: 'fast' },
    launchOptions: { executablePath: process.env.CHROMIUM }, // left out: the browser that Playwright downloads
  },
})
