import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

test.runIf(existsSync(dist))('the portal brings the styles of each Mantine part that it draws, and of no other', () => {
  const drawn = classesIn(join(dist, 'assets'), '.js');
  const brought = classesIn(join(dist, 'assets'), '.css');
  const styles = join(top, 'node_modules/@mantine/core/styles');
  const parts = readdirSync(styles).filter((name) => name.endsWith('.layer.css'));
  const wrong = parts.flatMap((name) => {
    const own = [...classesIn(styles, name)];
    const isDrawn = own.some((each) => drawn.has(each));
    const isBrought = own.some((each) => brought.has(each));
    return own.length === 0 || isDrawn === isBrought ? [] : [`${name} ${isDrawn ? 'is missing' : 'is not needed'}`];
  });
  expect(parts.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

/** Class names of Mantine (`m_8d3f4000`) in the files of a folder whose names end so. */
function classesIn(folder: string, ending: string): ReadonlySet<string> {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(texts.join('\n').match(/\bm_[0-9a-f]{6,8}\b/g));
}
