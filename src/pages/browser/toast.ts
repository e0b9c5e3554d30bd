/** What was done is said for a while, and not again when the page is loaded again. */
export function showToast(): void {
  const address = new URL(location.href)
  if (address.searchParams.has('notice')) {
    address.searchParams.delete('notice')
    history.replaceState(null, '', address)
  }
  const toast = document.querySelector('[data-toast]')
  if (toast !== null) setTimeout(() => toast.remove(), toast.querySelector('form') === null ? 6_000 : 20_000)
}
