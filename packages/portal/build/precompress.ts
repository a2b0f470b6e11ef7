import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|json)$/;

/** Writes each text file of the build a second and third time, smaller, so that the server compresses nothing. */
export function precompress(): Plugin {
  return {
    name: 'portolan-precompress',
    apply: 'build',
    writeBundle({ dir }) {
      const folder = join(String(dir), 'assets');
      for (const name of readdirSync(folder).filter((file) => compressible.test(file))) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
