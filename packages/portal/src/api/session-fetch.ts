/** CSRF token of the session, sent with every request that changes something. */
let csrfToken: string | null = null;
const whenExpired = new Set<() => void>();

export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Subscribes to the end of the session; returns the unsubscribe function. */
export function onSessionExpired(callback: () => void): () => void {
  whenExpired.add(callback);
  return () => whenExpired.delete(callback);
}

const signingIn = /\/v1\/auth\/(sign-in|options|me|password-links\/redeem)(\?|$)/;

export async function sendWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (csrfToken && init.method !== 'GET') headers.set('x-csrf-token', csrfToken);
  const address = String(input);
  const response = await fetch(address, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401 && !signingIn.test(address)) for (const tell of whenExpired) tell();
  if (response.status !== 403) return response;
  // another tab signed in again: use its token
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: string } | undefined;
  if (body?.error !== 'csrf_token_invalid' || signingIn.test(address)) return response;
  const me = await fetch('/v1/auth/me', { credentials: 'same-origin' });
  if (!me.ok) return response;
  keepCsrfToken(((await me.json()) as { csrfToken: string | null }).csrfToken);
  headers.set('x-csrf-token', csrfToken ?? '');
  return fetch(address, { ...init, headers, credentials: 'same-origin' });
}
