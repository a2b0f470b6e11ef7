import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptedEncoding } from '../platform/http/accept-encoding.ts';

/** Pages may load only what this server serves under its own address, and no site may frame them. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Asset {
  readonly plain: Buffer;
  readonly zipped: Buffer;
  /** Identifies the content in any encoding: a weak tag, because the bytes may differ. */
  readonly tag: string;
}

/**
 * Serves a text that does not change while the server runs. The first request builds and caches it, plain and gzipped;
 * a client that has it gets 304.
 */
export function serveAsset(app: FastifyInstance, path: string, type: string, make: () => string): void {
  let asset: Asset | undefined;
  app.get(path, { config: { workClass: 'free' } }, async (request, reply) => {
    asset ??= prepare(make());
    reply
      .header('etag', asset.tag)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer');
    if (names(request.headers['if-none-match'], asset.tag)) return reply.status(304).send();
    reply.type(`${type}; charset=utf-8`);
    if (!acceptedEncoding(request.headers['accept-encoding'], ['gzip'])) return reply.send(asset.plain);
    return reply.header('content-encoding', 'gzip').send(asset.zipped);
  });
}

function prepare(text: string): Asset {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { plain, zipped: gzipSync(plain), tag: `W/"${digest}"` };
}

function names(header: string | undefined, tag: string): boolean {
  const wanted = tag.replace('W/', '');
  return header?.split(',').some((each) => [wanted, '*'].includes(each.trim().replace('W/', ''))) ?? false;
}
