import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { top } from './lib/source-files.ts';

const dist = join(top, 'packages/portal/dist');
const firstLoadBytesMax = 250 * 1024;

/** One file of the build, as Vite's manifest tells. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

// The build runs before the tests; alone, this has nothing to measure and says so by its name.
test.runIf(existsSync(dist))(
  'the first page of the built portal loads at most 250 KB of zipped scripts and styles',
  () => {
    const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    const files = new Set<string>();
    const add = (name: string): void => {
      const chunk = manifest[name];
      if (!chunk || files.has(chunk.file)) return;
      for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
      for (const imported of chunk.imports ?? []) add(imported);
    };
    add('index.html');
    add('src/screens/home/home.screen.tsx');
    const bytes = [...files]
      .map((file) => statSync(join(dist, `${file}.gz`)).size)
      .reduce((sum, size) => sum + size, 0);
    expect(files.size).toBeGreaterThan(5);
    expect(bytes).toBeLessThan(firstLoadBytesMax);
  },
);
