import { openApiDocument } from '@portolan/contract/openapi';
import type { Operation } from '@portolan/contract/operation';
import { operations as allOperations } from '@portolan/contract/operations';
import type { FastifyInstance } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { Surface } from '../platform/http/server.ts';
import { serveAsset } from './docs-asset.ts';
import type { ApiDocument } from './docs-document.ts';
import { referencePage } from './docs-page.ts';
import { filterScript } from './docs-script.ts';
import { icon, stylesheet } from './docs-style.ts';
import { landingPage } from './landing.ts';

export interface DocsOptions {
  readonly operations?: readonly Operation[];
  readonly version?: string;
  /** Address in the commands, read at the first request; by default the one that the server listens on. */
  readonly publicUrl?: () => string;
  /** True if the portal is served at `/`; otherwise a landing page is. */
  readonly hasPortal?: boolean;
}

/**
 * Serves `/openapi.json`, `/docs`, and without the portal a landing page at `/`; each is built at its first request.
 */
export function createDocs(options: DocsOptions = {}): Surface {
  const { operations = allOperations, version = manifest.version, publicUrl, hasPortal = false } = options;
  let made: Readonly<Record<string, unknown>> | undefined;
  const document = () => {
    made ??= openApiDocument(operations, version);
    return made;
  };
  return (app) => {
    const address = () => (publicUrl?.() || listeningOrigin(app)).replace(/\/+$/, '');
    if (!hasPortal) serveAsset(app, '/', 'text/html', () => landingPage(address()));
    serveAsset(app, '/openapi.json', 'application/json', () => JSON.stringify(document()));
    serveAsset(app, '/docs', 'text/html', () => referencePage(document() as unknown as ApiDocument, address()));
    serveAsset(app, '/docs/style.css', 'text/css', () => stylesheet);
    serveAsset(app, '/docs/filter.js', 'text/javascript', () => filterScript);
    serveAsset(app, '/docs/icon.svg', 'image/svg+xml', () => icon);
  };
}

function listeningOrigin(app: FastifyInstance): string {
  return app.server.listening ? app.listeningOrigin : 'http://127.0.0.1:3000';
}
