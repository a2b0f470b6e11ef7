import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

/**
 * Replaces `src/api/operation-addresses.ts`, which collects the operations of the contract, by what it collects. Browsers
 * need method and path of an operation and not its schemas, which would be most of the first load.
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
      const { addresses } = (await import(`${file}?${Date.now()}`)) as { addresses: object };
      rmSync(folder, { recursive: true });
      return `export const addresses = ${JSON.stringify(addresses)};`;
    },
  };
}
