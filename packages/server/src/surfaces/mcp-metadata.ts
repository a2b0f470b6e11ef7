import { scopes } from '@portolan/contract/scopes';
import type { FastifyInstance } from 'fastify';

const resourcePath = '/.well-known/oauth-protected-resource';

/** Where a client finds out how to be let in; stands in `WWW-Authenticate` of every 401 (RFC 9728 §5.1). */
export function challenge(address: string, path: string): string {
  return `Bearer realm="portolan", resource_metadata="${address}${resourcePath}${path}"`;
}

/**
 * What the endpoint is to OAuth (RFC 9728). There is no authorization server here: a token comes from the API, by client
 * credentials or as a personal token, and is sent in the header.
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
