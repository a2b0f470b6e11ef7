import { dropFirst, takeFirst } from './first-answers.ts';

interface Proof {
  /** Sent with every request that changes something. */
  readonly csrfToken: string | null;
  /** The organization that the page shows. */
  readonly organization: string;
}

let proof: Proof | null = null;
let firstAnswerAt: number | undefined;
const whenExpired = new Set<() => void>();

/** A page of one organization is not filled from another: it begins anew. */
export function keepProof(next: Proof | null): void {
  if (proof && next && proof.organization !== next.organization) location.assign('/');
  proof = next;
}

/** For whoever goes to another organization and begins the page anew afterwards. */
export function replaceProof(next: Proof): void {
  proof = next;
}

/** Subscribes to the end of the session; returns the unsubscribe function. */
export function onSessionExpired(callback: () => void): () => void {
  whenExpired.add(callback);
  return () => whenExpired.delete(callback);
}

/** When the server gave this page its first answer, in milliseconds by the server's clock. */
export function firstAnsweredAt(): number | undefined {
  return firstAnswerAt;
}

const signingIn = /\/v1\/auth\/(sign-in|options|me|password-links\/redeem)(\?|$)/;

export async function sendWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (proof?.csrfToken && init.method !== 'GET') headers.set('x-csrf-token', proof.csrfToken);
  const address = String(input);
  const isRead = (init.method ?? 'GET') === 'GET';
  if (!isRead) dropFirst();
  const first = isRead && address.endsWith('/v1/auth/me') ? await takeFirst('session') : undefined;
  const response = first ?? (await fetch(address, { ...init, headers, credentials: 'same-origin' }));
  firstAnswerAt ??= dateOf(response);
  if (response.status === 401 && !signingIn.test(address)) for (const tell of whenExpired) tell();
  if (response.status !== 403) return response;
  // another tab signed in again: use its token, unless it is in another organization now
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: string } | undefined;
  if (body?.error !== 'csrf_token_invalid' || signingIn.test(address)) return response;
  const me = await fetch('/v1/auth/me', { credentials: 'same-origin' });
  if (!me.ok) return response;
  const now = (await me.json()) as { csrfToken: string | null; organization: { id: string } };
  if (proof && proof.organization !== now.organization.id) {
    location.assign('/');
    return response;
  }
  keepProof({ csrfToken: now.csrfToken, organization: now.organization.id });
  headers.set('x-csrf-token', now.csrfToken ?? '');
  return fetch(address, { ...init, headers, credentials: 'same-origin' });
}

function dateOf(response: Response): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
