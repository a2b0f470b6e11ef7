import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunk-groups.ts';
import { operationAddresses } from './build/operation-addresses.ts';
import { precompress } from './build/precompress.ts';
import { preloads } from './build/preloads.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [operationAddresses(), react(), preloads(), precompress()],
  resolve: { conditions: ['portolan-source', 'module', 'browser', 'import', 'default'] },
  // the server puts a new one into every answer; see packages/server/src/surfaces/portal.ts
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    // nothing as data: addresses, so that the policy can stay strict
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups } },
      // how long plugins take is no news to whoever starts the product
      checks: { bundlerTimings: false },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/docs', '/openapi.json'].map((path) => [path, process.env['PORTOLAN_URL'] ?? 'http://127.0.0.1:3000']),
    ),
  },
});
