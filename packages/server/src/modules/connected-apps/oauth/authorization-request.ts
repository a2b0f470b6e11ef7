import { isMcpScope, type McpScope } from '@portolan/contract/mcp-scopes';
import type { ConnectedAppsDeps } from '../connected-apps.deps.ts';
import { isRegistered } from './redirect-address.ts';
import { hashClientId, type Registration } from './registrations.ts';
import { isOwnResource } from './resource.ts';

/** What an app asks for, checked. */
export interface AuthorizationRequest {
  readonly clientHash: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  /** At least one. */
  readonly scopes: readonly McpScope[];
}

/** Errors that an app is told at its own address (RFC 6749 §4.1.2.1, RFC 8707 §2). */
export type AuthorizationError =
  | 'access_denied'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type';

export type ReadRequest =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  /** The person is told; an address that nobody registered is never gone to. */
  | { readonly kind: 'refused'; readonly problem: 'client' | 'redirect' }
  /** The app is told at its address, once the person goes back to it. */
  | { readonly kind: 'returned'; readonly location: string };

const stateMax = 2000;

/**
 * Reads the query of `/oauth/authorize`. Documents of apps are fetched for a person alone, named by `asker`.
 * @throws AppError `too_many_requests`
 */
export async function readAuthorizationRequest(
  deps: ConnectedAppsDeps,
  query: URLSearchParams,
  asker: string,
): Promise<ReadRequest> {
  const clientId = query.get('client_id') ?? '';
  const registration = deps.registrations.read(clientId) ?? (await deps.documents.read(clientId, asker));
  return readAsked(deps, query, registration);
}

function readAsked(
  deps: ConnectedAppsDeps,
  query: URLSearchParams,
  registration: Registration | undefined,
): ReadRequest {
  const single = (name: string): string | undefined => query.get(name) || undefined;
  const [clientId = '', redirectUri = '', state] = [single('client_id'), single('redirect_uri'), single('state')];
  if (!registration || isRepeated(query, 'client_id')) return { kind: 'refused', problem: 'client' };
  if (!isRegistered(registration.redirectUris, redirectUri) || isRepeated(query, 'redirect_uri')) {
    return { kind: 'refused', problem: 'redirect' };
  }
  const returned = (error: AuthorizationError, description: string): ReadRequest => ({
    kind: 'returned',
    location: refusalAddress(deps, { redirectUri, state }, error, description),
  });
  const repeated = ['state', 'response_type', 'code_challenge', 'code_challenge_method', 'scope'].find((name) =>
    isRepeated(query, name),
  );
  if (repeated) return returned('invalid_request', `${repeated} stands there more than once`);
  if ((state?.length ?? 0) > stateMax) return returned('invalid_request', `state is longer than ${stateMax}`);
  if (single('response_type') !== 'code') return returned('unsupported_response_type', 'response_type must be code');
  if (![undefined, 'query'].includes(single('response_mode'))) {
    return returned('invalid_request', 'response_mode must be query');
  }
  const challenge = single('code_challenge') ?? '';
  if (single('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    return returned('invalid_request', 'PKCE is required: code_challenge with code_challenge_method=S256');
  }
  if (!query.getAll('resource').every((resource) => isOwnResource(resource, deps.publicUrl()))) {
    return returned('invalid_target', 'resource must be the MCP endpoint of this server');
  }
  const asked = single('scope')?.split(' ') ?? ['mcp:read'];
  const scopes = [...new Set(asked.filter(isMcpScope))];
  if (scopes.length === 0) return returned('invalid_scope', 'None of the scopes is known here');
  const clientHash = hashClientId(clientId);
  return {
    kind: 'valid',
    request: { clientHash, clientName: registration.name, redirectUri, state, challenge, scopes },
  };
}

function isRepeated(query: URLSearchParams, name: string): boolean {
  return query.getAll(name).length > 1;
}

type Returning = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

export function codeAddress(deps: Pick<ConnectedAppsDeps, 'publicUrl'>, request: Returning, code: string): string {
  return address(deps, request, { code });
}

export function refusalAddress(
  deps: Pick<ConnectedAppsDeps, 'publicUrl'>,
  request: Returning,
  error: AuthorizationError,
  description: string,
): string {
  return address(deps, request, { error, error_description: description });
}

/** Every answer names its issuer, so that an app with several is not mixed up (RFC 9207). */
function address(
  { publicUrl }: Pick<ConnectedAppsDeps, 'publicUrl'>,
  { redirectUri, state }: Returning,
  members: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  url.searchParams.set('iss', publicUrl());
  return url.href;
}
