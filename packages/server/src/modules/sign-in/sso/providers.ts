import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  None,
} from 'openid-client';
import type { Clock } from '../../../platform/clock.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { type Outgoing, OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';

export interface ProviderKey {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string | undefined;
}

/** Provider configurations, discovered on first use. */
export interface Providers {
  /** @throws AppError `sso_provider_unavailable`, `invalid_request` for an issuer that cannot be trusted */
  configurationOf(key: ProviderKey): Promise<Configuration>;
}

/** Cache time of keys and addresses; an unknown key is looked up at once. */
const rememberedMs = 10 * 60_000;
const answerMs = 10_000;

export function createProviders({
  outgoing,
  clock,
}: {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}): Providers {
  const remembered = new LRUCache<string, { readonly configuration: Configuration; readonly atMs: number }>({
    max: 100,
  });
  const guarded = guardedFetch(outgoing);
  return {
    configurationOf: async (key) => {
      const name = JSON.stringify([key.issuer, key.clientId, key.secret]);
      const known = remembered.get(name);
      const nowMs = clock.now().getTime();
      if (known && nowMs - known.atMs < rememberedMs) return known.configuration;
      const configuration = await discover(key, guarded);
      remembered.set(name, { configuration, atMs: nowMs });
      return configuration;
    },
  };
}

async function discover({ issuer, clientId, secret }: ProviderKey, guarded: CustomFetch): Promise<Configuration> {
  const url = new URL(issuer);
  const isPlain = url.protocol === 'http:';
  if (isPlain && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
    const message = 'must be an https address; http is for providers on this machine';
    throw invalidRequest([{ path: '/issuer', message }], 'The connection');
  }
  const execute = isPlain ? [allowInsecureRequests] : [];
  try {
    const found = await discovery(url, clientId, undefined, None(), { [customFetch]: guarded, execute, timeout: 10 });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    const proof = secret === undefined ? None() : authenticate(secret);
    const configuration = new Configuration(server, clientId, secret, proof);
    configuration[customFetch] = guarded;
    configuration.timeout = answerMs / 1000;
    if (isPlain) allowInsecureRequests(configuration);
    if (!/^https?:/.test(server.authorization_endpoint ?? '')) throw new Error('no authorization_endpoint');
    return configuration;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Providers' addresses are user input, so they go through the guarded client. */
function guardedFetch(outgoing: Outgoing): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outgoing.send({
      url,
      method,
      headers,
      timeoutMs: answerMs,
      ...(body === undefined || body === null ? {} : { body: toBodyText(body) }),
      ...(signal ? { signal } : {}),
    });
    const hasBody = ![101, 204, 205, 304].includes(answer.status);
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = answer.headers;
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: rest });
  };
}

function toBodyText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('The client of the provider sent a body of a kind that is not expected');
}

/** The failure in words for an administrator. */
export function unavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = failureIn(error)?.message ?? (error instanceof Error ? error.message : 'unknown reason');
  return new AppError('sso_provider_unavailable', `The identity provider does not answer as it should: ${reason}`, {
    cause: error,
  });
}

/** The failed request behind a client error, if any. */
export function failureIn(error: unknown): OutgoingFailure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof OutgoingFailure) return each;
  return undefined;
}
