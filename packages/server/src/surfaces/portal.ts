import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from '../platform/http/accept-encoding.ts';
import type { Surface } from '../platform/http/server.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};
/** Precompressed variants that the build writes beside each file, best first. */
const encodings = ['br', 'gzip'] as const;
const suffixes = { br: '.br', gzip: '.gz' } as const;
/** Paths for programs: anything missing below them is an error, never the page. */
const ofPrograms = /^\/(v\d+|scim|mcp|ingest|assets|agent|docs|openapi\.json|health|ready|metrics)(\/|$)/;
const sessionCookie = /(?:^|;\s*)(?:__Host-)?portolan-session=[^;]/;

export function hasPortal(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

/**
 * Serves the portal: its files, cached for ever because their names contain a content hash, and its page for every
 * browser navigation that no operation answers (decision 0043).
 */
export function createPortal(folder: string, publicUrl: () => string): Surface {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = new Set(readdirSync(join(folder, 'assets')));
  const preloadsOf = readPreloads(folder);
  return (app) => {
    app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
      const { file } = request.params;
      const type = types[extname(file)];
      if (!type || !names.has(file)) return reply.callNotFound();
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
      const made = encodings.filter((each) => names.has(file + suffixes[each]));
      const encoding = acceptedEncoding(request.headers['accept-encoding'], made);
      if (encoding) reply.header('content-encoding', encoding);
      return reply.send(readFileSync(join(folder, 'assets', file + (encoding ? suffixes[encoding] : ''))));
    });
    app.get('/*', { config: { workClass: 'free' } }, async (request, reply) =>
      isNavigation(request) ? sendPage(page, preloadsOf, publicUrl(), request, reply) : reply.callNotFound(),
    );
  };
}

/** What the build says about each screen; nothing where it says nothing. */
function readPreloads(folder: string): (path: string) => string {
  const file = join(folder, 'preloads.json');
  if (!existsSync(file)) return () => '';
  const { fonts, routes } = JSON.parse(readFileSync(file, 'utf8')) as Preloads;
  const ofFonts = fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`);
  const known = routes.map(({ path, scripts, styles }) => ({
    pattern: new RegExp(path),
    links: [
      ...ofFonts,
      ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
      ...styles.map((name) => `<link rel="preload" as="style" crossorigin href="/${name}">`),
    ].join(''),
  }));
  return (path) => known.find(({ pattern }) => pattern.test(path))?.links ?? '';
}

/** `preloads.json` of the build. */
interface Preloads {
  readonly fonts: readonly string[];
  readonly routes: readonly {
    readonly path: string;
    readonly scripts: readonly string[];
    /** Those that the page does not link itself. */
    readonly styles: readonly string[];
  }[];
}

/** True for a person's navigation, not for a program's request. */
function isNavigation({ url, headers }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? '/';
  return path === '/' || (!ofPrograms.test(path) && String(headers.accept).includes('text/html'));
}

/**
 * Sends the page with a nonce that is unique to this answer; the policy allows only scripts and styles that have it or
 * come from this server. For somebody who is signed in it names the files of the screen, so that they come in one wave. The
 * page learns whether a session cookie was sent, to avoid a useless request, and the public address, which the portal writes into actions: people may use the portal under another one.
 */
function sendPage(
  page: string,
  preloadsOf: (path: string) => string,
  publicUrl: string,
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isSignedIn = sessionCookie.test(headers.cookie ?? '');
  const nonce = randomBytes(16).toString('base64');
  const path = url.split('?')[0] ?? '/';
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .send(
      page
        .replaceAll('__CSP_NONCE__', nonce)
        .replace('__SESSION__', isSignedIn ? 'sent' : 'none')
        .replace('<!--preloads-->', () => (isSignedIn ? firstAnswers(path) + preloadsOf(path) : ''))
        .replace('__PUBLIC_URL__', () => escaped(publicUrl)),
    );
}

/** What the script in the page asks for; named as links, the browser asks before it runs any script. */
function firstAnswers(path: string): string {
  if (path === '/sign-in') return '';
  return ['/v1/auth/me', `/v1/portal/bootstrap?path=${encodeURIComponent(path)}`]
    .map((address) => `<link rel="preload" as="fetch" crossorigin href="${escaped(address)}">`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    // pages embedded in a dashboard, in a sandbox
    'frame-src https:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
