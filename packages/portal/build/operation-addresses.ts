import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import type { OperationAddress } from '../src/api/operation-addresses.ts';

/**
 * Replaces `src/api/operation-addresses.ts`, which collects the operations of the contract, by what it collects. Browsers
 * need method and path of an operation and not its schemas, which would be most of the first load. Operations that no
 * source of the portal names are left out.
 */
export function operationAddresses(): Plugin {
  return {
    name: 'portolan-operation-addresses',
    apply: 'build',
    async load(id) {
      if (!id.endsWith('/src/api/operation-addresses.ts')) return undefined;
      const folder = join(import.meta.dirname, '../node_modules/.portolan-addresses');
      const bundle = await rolldown({
        input: id,
        platform: 'node',
        resolve: { conditionNames: ['portolan-source', 'import', 'node', 'default'] },
        external: [/^zod/],
      });
      await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'addresses.mjs' });
      await bundle.close();
      const file = pathToFileURL(join(folder, 'addresses.mjs')).href;
      const { addresses } = (await import(`${file}?${Date.now()}`)) as { addresses: Record<string, object> };
      rmSync(folder, { recursive: true });
      const named = namesIn(join(import.meta.dirname, '../src'));
      const called = Object.fromEntries(Object.entries(addresses).filter(([name]) => named.has(name)));
      return written(called as Readonly<Record<string, OperationAddress>>);
    },
  };
}

/** As few words as possible, as this is part of every first load: most operations are read with a token. */
function written(called: Readonly<Record<string, OperationAddress>>): string {
  const rows = Object.values(called).map(({ id, path, method, access, isReadOnly }) => {
    const parts = [id, path, method === 'GET' ? 0 : method, access === 'token' ? 0 : access, isReadOnly ? 1 : 0];
    while (parts.at(-1) === 0) parts.pop();
    return parts;
  });
  return `export const addresses = Object.fromEntries(${JSON.stringify(rows)}.map(([id, path, method, access, isReadOnly]) => [
  id,
  { id, method: method || 'GET', path, access: access || 'token', ...(isReadOnly ? { isReadOnly: true } : {}) },
]));`;
}

/** Every quoted word of the sources in a folder. */
function namesIn(folder: string): ReadonlySet<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const texts = paths.map((path) => readFileSync(join(folder, path), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/(?<=')\w+(?=')/g) ?? []));
}
