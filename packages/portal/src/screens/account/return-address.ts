/** Where to go after signing in: only a path of this portal, never another site (open redirect). */
export function returnAddress(asked: unknown, origin: string): string {
  const text = typeof asked === 'string' ? asked : '/';
  if (!/^\/(?![/\\])/.test(text) || /[\\\s]/.test(text) || !URL.canParse(text, origin)) return '/';
  const url = new URL(text, origin);
  if (url.origin !== origin || url.pathname === '/sign-in') return '/';
  return url.pathname + url.search + url.hash;
}
