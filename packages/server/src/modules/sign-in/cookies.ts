/** What browsers keep for the portal. */
export interface Cookies {
  /** Of a signed-in browser. */
  readonly session: string;
  /** Of a browser that is on its way through an identity provider. */
  readonly attempt: string;
  set(name: string, value: string, seconds: number): string;
  clear(name: string): string;
}

/**
 * Cookies that scripts cannot read and that other sites' requests do not carry. Over https their names begin with
 * `__Host-`: a browser then takes them from this very host over https alone, so that nobody beside it can plant one.
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

/** The first value of a name in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
