/**
 * The server's own public address, for URLs stored in the organization's actions: the server does not recognize an
 * address under which only this browser reaches it. Under the Vite dev server, the page's own origin.
 */
export function publicAddress(): string {
  const told = document.documentElement.dataset['publicUrl'] ?? '';
  return URL.canParse(told) ? told.replace(/\/+$/, '') : location.origin;
}
