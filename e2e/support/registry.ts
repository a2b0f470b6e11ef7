import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const screens = join(import.meta.dirname, '../../packages/portal/src/screens');

/** The paths of every screen that the portal declares. Read as text: routes import what only browsers have. */
export function declaredPaths(): readonly string[] {
  return readdirSync(screens)
    .map((name) => join(screens, name, 'routes.ts'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((text) => [...text.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path ?? ''));
}
