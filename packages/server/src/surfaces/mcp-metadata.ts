import { scopes } from '@portolan/contract/scopes';
import type { FastifyInstance } from 'fastify';

const resourcePath = '/.well-known/oauth-protected-resource';

/** Value of `WWW-Authenticate` in every 401, which points at the metadata below (RFC 9728 §5.1). */
export function challenge(address: string, path: string): string {
  return `Bearer realm="portolan", resource_metadata="${address}${resourcePath}${path}"`;
}

/**
 * OAuth metadata of the endpoint (RFC 9728). It names no authorization server: a token comes from the API, by client
 * credentials or as an API token, and is sent in the header.
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
        bearer_methods_supported: ['header'],
        scopes_supported: scopes,
      };
      return reply
        .header('cache-control', 'public, max-age=3600')
        .header('access-control-allow-origin', '*')
        .send(body);
    });
  }
}
