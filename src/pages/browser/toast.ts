/** Shows a notice for a while; not again after a reload. */
export function showToast(): void {
  const address = new URL(location.href)
  if (address.searchParams.has('notice')) {
    address.searchParams.delete('notice')
    history.replaceState(null, '', address)
  }
  const toast = document.querySelector('[data-toast]')
  if (toast !== null) setTimeout(() => toast.remove(), toast.querySelector('form') === null ? 6_000 : 20_000)
}
