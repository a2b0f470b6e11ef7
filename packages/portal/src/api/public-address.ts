/**
 * The address that the server knows itself by, for what is written into the organization's actions: an address that only
 * this browser reaches it under would not be taken for its own. Served by Vite, the page's own.
 */
export function publicAddress(): string {
  const told = document.documentElement.dataset['publicUrl'] ?? '';
  return URL.canParse(told) ? told.replace(/\/+$/, '') : location.origin;
}
