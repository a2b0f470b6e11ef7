import { mcpScopes } from '@portolan/contract/mcp-scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import type { Surface } from '../../../platform/http/server.ts';
import type { ConnectedAppsDeps } from '../connected-apps.deps.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { isDocumentAddress } from './client-documents.ts';
import { exchangeCode, exchangeRefreshToken, type IssuedTokens } from './exchange.ts';
import { OauthError } from './oauth-error.ts';
import { readRegistration } from './registrations.ts';
import { revokeToken } from './revoke-token.ts';

const bodyBytesMax = 16 * 1024;
const queryMax = 8000;
const metadataPath = '/.well-known/oauth-authorization-server';

/** The endpoints of the authorization server: metadata, authorize, token, revoke and register. */
export function createOauthSurface(deps: ConnectedAppsDeps): Surface {
  return (app) => {
    app.get(metadataPath, { config: { workClass: 'free' } }, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .header('access-control-allow-origin', '*')
        .send(metadataOf(deps.publicUrl())),
    );
    app.get('/oauth/authorize', async (request, reply) => authorize(deps, request, reply));
    void app.register(async (scope) => {
      readJsonBodies(scope);
      scope.post('/oauth/register', { bodyLimit: bodyBytesMax }, (request, reply) =>
        answering(reply, 201, async () => register(deps, request)),
      );
    });
    void app.register(async (scope) => {
      readForms(scope);
      scope.post('/oauth/token', { bodyLimit: bodyBytesMax }, (request, reply) =>
        answering(reply, 200, async () => {
          deps.exchanging.take(request.ip);
          return exchange(deps, formOf(request));
        }),
      );
      scope.post('/oauth/revoke', { bodyLimit: bodyBytesMax }, (request, reply) =>
        answering(reply, 200, async () => {
          deps.exchanging.take(request.ip);
          const form = formOf(request);
          await revokeToken(deps, required(form, 'token'), single(form, 'client_id'));
          return {};
        }),
      );
    });
  };
}

/** RFC 8414 §2. */
function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: mcpScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs`,
  };
}

/**
 * Sends the browser to the page where a person decides, with the query as it came. Nobody is sent to an app from here, not
 * even with an error: everybody can register one, and links to the portal would lead anywhere (RFC 9700 §4.11.2).
 */
async function authorize(deps: ConnectedAppsDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = request.url.split('?')[1] ?? '';
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  if (query.length > queryMax) throw invalidRequest([{ path: '{query}', message: `is longer than ${queryMax}` }]);
  const parameters = new URLSearchParams(query);
  // strangers come here, and must not make this server fetch addresses: the page asks for a person
  const isDocument = isDocumentAddress(parameters.get('client_id') ?? '');
  const read = isDocument ? undefined : await readAuthorizationRequest(deps, parameters, request.ip);
  if (read?.kind !== 'refused') return reply.redirect(`/connect-app#${parameters}`, 302);
  if (String(request.headers.accept).includes('text/html')) {
    return reply.redirect(`/connect-app#problem=${read.problem}`, 302);
  }
  throw refusedRequest(read.problem, '{query}');
}

/** Tells a person, and a program that asks like one, why it goes no further. */
export function refusedRequest(problem: 'client' | 'redirect', path: string): AppError {
  return invalidRequest([
    problem === 'client'
      ? {
          path: `${path}/client_id`,
          message: 'is neither of an app that registered here nor the address of a document about one; let it register',
        }
      : { path: `${path}/redirect_uri`, message: 'is not an address that the app registered' },
  ]);
}

async function register(deps: ConnectedAppsDeps, request: FastifyRequest) {
  deps.registering.take(request.ip);
  const read = readRegistration(request.body);
  if ('error' in read) throw new OauthError(read.error, read.description);
  const { registration } = read;
  return {
    client_id: deps.registrations.write(registration),
    client_id_issued_at: Math.floor(deps.clock.now().getTime() / 1000),
    client_name: registration.name,
    redirect_uris: registration.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: mcpScopes.join(' '),
  };
}

async function exchange(deps: ConnectedAppsDeps, form: URLSearchParams): Promise<IssuedTokens> {
  const grantType = required(form, 'grant_type');
  const resources = form.getAll('resource');
  if (grantType === 'authorization_code') {
    const [code, clientId] = [required(form, 'code'), required(form, 'client_id')];
    const [redirectUri, verifier] = [single(form, 'redirect_uri'), required(form, 'code_verifier')];
    return exchangeCode(deps, { code, clientId, redirectUri, verifier, resources });
  }
  if (grantType === 'refresh_token') {
    const [refreshToken, clientId] = [required(form, 'refresh_token'), required(form, 'client_id')];
    return exchangeRefreshToken(deps, { refreshToken, clientId, scope: single(form, 'scope'), resources });
  }
  throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

function required(form: URLSearchParams, name: string): string {
  const value = single(form, name);
  if (value === undefined) throw new OauthError('invalid_request', `${name} is missing`);
  return value;
}

function single(form: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = form.getAll(name);
  if (more.length > 0) throw new OauthError('invalid_request', `${name} stands there more than once`);
  return value || undefined;
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

/** Answers in the words of OAuth what it has words for; everything else like every other path. */
async function answering(reply: FastifyReply, status: number, answer: () => Promise<object>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  try {
    return reply.status(status).send(await answer());
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return reply.status(error.status).send({ error: error.code, error_description: error.message });
  }
}

function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const parse = async (_request: unknown, text: string): Promise<string> => text;
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parse);
  refuseOtherBodies(scope, 'application/x-www-form-urlencoded');
}

/** Unlike everywhere else, what cannot be read is told in the words of OAuth. */
function readJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, text: string) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  });
  refuseOtherBodies(scope, 'application/json');
}

function refuseOtherBodies(scope: FastifyInstance, wanted: string): void {
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, text: string) => {
    if (text !== '') throw new AppError('unsupported_media_type', `Send the body as ${wanted}`);
  });
}
