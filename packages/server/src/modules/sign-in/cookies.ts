/** Names of the portal's cookies. */
export interface Cookies {
  readonly session: string;
  /** For a sign-in in progress at an identity provider. */
  readonly attempt: string;
  set(name: string, value: string, seconds: number): string;
  clear(name: string): string;
}

/**
 * HTTP-only cookies that other sites' requests do not carry. Over https their names begin with `__Host-`: browsers
 * accept those only over https from this very host, so that no neighbour can plant one.
 */
export function createCookies(publicUrl: () => string): Cookies {
  const isSecure = (): boolean => publicUrl().startsWith('https:');
  const named = (name: string): string => (isSecure() ? `__Host-${name}` : name);
  const set = (name: string, value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;
  return {
    get session() {
      return named('portolan-session');
    },
    get attempt() {
      return named('portolan-sign-in');
    },
    set,
    clear: (name) => set(name, '', 0),
  };
}

/** First value of the name in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
