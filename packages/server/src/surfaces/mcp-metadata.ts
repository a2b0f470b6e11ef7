import { mcpScopes } from '@portolan/contract/mcp-scopes';
import type { FastifyInstance } from 'fastify';

const resourcePath = '/.well-known/oauth-protected-resource';

/**
 * Value of `WWW-Authenticate` in every 401, and in a 403 that more scopes would have avoided: it points at the metadata
 * below (RFC 9728 §5.1) and names what to ask for (RFC 6750 §3).
 */
export function challenge(
  address: string,
  path: string,
  {
    error,
    scopes,
  }: { readonly error?: 'invalid_token' | 'insufficient_scope'; readonly scopes?: readonly string[] } = {},
): string {
  const said = error === undefined ? '' : `error="${error}", `;
  const asked = scopes === undefined ? '' : `, scope="${scopes.join(' ')}"`;
  return `Bearer realm="portolan", ${said}resource_metadata="${address}${resourcePath}${path}"${asked}`;
}

/**
 * OAuth metadata of the endpoint (RFC 9728). Its authorization server is this one, where people let apps in; tokens of the
 * API, by client credentials or as API tokens, are sent in the same header.
 */
export function serveMetadata(
  app: FastifyInstance,
  addressOf: (host: string | undefined) => string,
  paths: readonly string[],
) {
  for (const path of ['', ...paths]) {
    app.get(`${resourcePath}${path}`, { config: { workClass: 'free' } }, async (request, reply) => {
      const address = addressOf(request.headers.host);
      const body = {
        resource: `${address}${path || paths[0]}`,
        resource_name: 'Portolan',
        resource_documentation: `${address}/docs`,
        authorization_servers: [address],
        bearer_methods_supported: ['header'],
        scopes_supported: mcpScopes,
      };
      return reply
        .header('cache-control', 'public, max-age=3600')
        .header('access-control-allow-origin', '*')
        .send(body);
    });
  }
}
