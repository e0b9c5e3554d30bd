/**
 * Every page and state that a person sees: its name, its path or URL, and what is done there before the picture.
 * `shop` has the ids of a day at a shop, the terminals by screen, the checkouts by state, and a webhook that failed first.
 */
export function shotsOf({ day, terminals, checkouts, webhook, refused }) {
  const forms = {
    refund: day.refunded,
    void: day.refunded,
    capture: day.held,
    abort: day.waiting,
    resend: day.declined,
  }
  const batch = 'merchantId=M1000000001&terminalSn=TBX-AUTO-001&channelCode=SBX-CARD&priceCurrency=USD'
  const paper = (id, tab) => `/transactions/${id}?tab=${tab}`
  const open = (fold) => (page) => page.locator(`${fold} > summary`).click()
  const palette = (typed) => async (page) => {
    await page.keyboard.press('Control+k')
    await page.locator('.palette [role=option]').first().waitFor()
    await page.keyboard.type(typed)
  }
  const drawer = (id) => async (page) => {
    await page.locator(`#do-${id}`).click()
    await page.getByRole('dialog').waitFor()
  }
  return [
    ['home', '/?since=24h'],
    ['home-tooltip', '/?since=24h', (page) => page.locator('[data-bars] li:nth-child(16)').hover()],
    ['home-filtered', '/?since=24h&status=declined'],
    ['home-nothing-found', '/?since=24h&q=nowhere'],
    ['control', '/', open('.menu')],
    ['palette', '/', palette('')],
    ['palette-503', '/', palette('503')],
    [
      'keys',
      '/',
      async (page) => {
        await page.keyboard.press('?')
        await page.locator('.keys-sheet').waitFor()
      },
    ],
    ['menu-view', '/', open('.view-menu')],
    ['home-beside', `/?span=day&open=${day.held}`],
    [
      'home-marked',
      '/?span=day',
      async (page) => {
        for (const key of 'jj') await page.keyboard.press(key)
      },
    ],
    ['new-payment', '/payments/new'],
    ['transaction', `/transactions/${day.refunded}`],
    ['transaction-requests', paper(day.refunded, 'requests')],
    ['transaction-webhooks', paper(day.refunded, 'webhooks')],
    ['transaction-receipt', paper(day.refunded, 'receipt')],
    ['transaction-json', paper(day.refunded, 'json')],
    ['transaction-declined', `/transactions/${day.declined}`],
    ['transaction-waiting', `/transactions/${day.waiting}`],
    ['drawer-refund', `/transactions/${day.refunded}`, drawer('refund')],
    [
      'drawer-refused',
      `/transactions/${day.refunded}`,
      async (page) => {
        await drawer('refund')(page)
        await page.getByRole('dialog').getByLabel('Amount').fill('9999')
        await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
        await page.locator('[aria-invalid=true]').waitFor()
      },
    ],
    ...Object.entries(forms).map(([form, id]) => [`form-${form}`, `/transactions/${id}/${form}`]),
    ['receipt', `/transactions/${day.refunded}?tab=receipt`],
    ['batches', '/batches'],
    ['form-batch-close', `/batches/close?${batch}`],
    ['webhooks', '/webhooks'],
    ['webhooks-beside', `/webhooks?open=${webhook}`],
    ['webhooks-resend', '/webhooks/resend'],
    ['webhook', `/webhooks/${webhook}`],
    [
      'webhook-sent',
      `/webhooks/${webhook}`,
      async (page) => {
        const body = page.getByLabel('Body', { exact: true })
        await body.fill((await body.inputValue()).replace('"S"', '"F"'))
        await body.press('Control+Enter')
        await page.getByText('Edited attempt').first().waitFor()
      },
    ],
    ['requests', '/requests'],
    ['requests-beside', `/requests?open=${refused}`],
    ['request', `/requests/${refused}`],
    ['faults', '/faults'],
    [
      'faults-refused',
      '/faults',
      async (page) => {
        await page.locator('[value=latency]').check()
        await page.locator('[name=latency-0]').fill('soon')
        await page.keyboard.press('Enter')
        await page.locator('.field-error:not(:empty)').waitFor()
      },
    ],
    ['coverage', '/coverage'],
    ['clock', '/clock'],
    ['spaces', '/spaces'],
    ['tokens', '/tokens'],
    ['audit', '/audit'],
    ['snapshots', '/snapshots'],
    ['reset', '/reset'],
    ['docs', '/docs'],
    ['guide', '/docs/guides/faults'],
    ['not-found', '/nowhere'],
    ['terminals', '/terminals'],
    ...Object.entries(terminals).map(([screen, serial]) => [`terminal-${screen}`, `/terminal/${serial}`]),
    ['terminal-typed', `/terminal/${terminals.idle}`, (page) => page.keyboard.type('1250')],
    ['terminal-more', `/terminal/${terminals.card}`, open('.card-picker .fold')],
    [
      'terminal-phone',
      `/terminal/${terminals.idle}`,
      async (page) => {
        if (await page.locator('.phone').isVisible()) await open('.phone')(page)
      },
    ],
    ['device', `/terminal/${terminals.idle}?view=device`],
    ['device-card', `/terminal/${terminals.card}?view=device`],
    ...Object.entries(checkouts).map(([state, url]) => [`checkout-${state}`, url]),
  ]
}

/** Those of a sandbox in which everything is set to something. `raised`: an authorisation with follow-ups of another day. */
export const busyShots = (raised) => [
  ['busy-home', '/'],
  ['busy-yesterday', '/?since=2026-11-19&until=2026-11-19'],
  ['busy-beside', `/?open=${raised}`],
  ['busy-raised', `/transactions/${raised}`],
  ['busy-failed', '/webhooks?state=failed'],
  ['busy-requests', '/requests'],
  ['busy-terminals', '/terminals'],
  ['busy-control', '/', (page) => page.locator('.menu > summary').click()],
  ['busy-faults', '/faults'],
  [
    'busy-preset',
    '/faults',
    async (page) => {
      if (await page.locator('#start-bad-wifi').isVisible()) await page.locator('#start-bad-wifi').click()
      await page.locator('#end-bad-wifi').waitFor()
    },
  ],
  ['busy-spaces', '/spaces'],
  ['busy-tokens', '/tokens'],
  ['busy-clock', '/clock'],
  ['busy-snapshots', '/snapshots'],
  ['snapshot-delete', '/snapshots/after-close/delete'],
  ['space-remove', '/spaces/ci-1/remove'],
  ['token-revoke', '/tokens/ci/revoke'],
  ['snapshot-new', '/snapshots', (page) => page.locator('.add summary').click()],
  ['busy-compare', '/snapshots?compare=opening#differences-title'],
  ['busy-batches', '/batches'],
  ['busy-webhooks', '/webhooks'],
]

/** Those of a sandbox in which nothing happened yet. */
export const emptyShots = [
  ['empty-home', '/'],
  ['empty-batches', '/batches'],
  ['empty-webhooks', '/webhooks'],
  ['empty-requests', '/requests'],
  ['empty-faults', '/faults'],
  ['empty-coverage', '/coverage'],
  ['empty-snapshots', '/snapshots'],
]
