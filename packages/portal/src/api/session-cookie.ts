/** The server writes into the page whether this browser sent a session cookie, which saves a request. */
export function hasNoCookie(): boolean {
  return document.documentElement.dataset['session'] === 'none';
}
