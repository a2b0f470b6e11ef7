import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { top } from './lib/source-files.ts';

const dist = join(top, 'packages/portal/dist');
/** Brotli, as browsers get it. */
const firstLoadBytesMax = 232 * 1024;
const firstLoadFilesMax = 14;

/** `preloads.json` of the build. */
interface Preloads {
  readonly routes: readonly {
    readonly path: string;
    readonly scripts: readonly string[];
    readonly styles: readonly string[];
  }[];
}

// The build runs before the tests; alone, this has nothing to measure and says so by its name.
test.runIf(existsSync(dist))(
  'Home and the screens of the catalog come in few files, and not above their weight',
  () => {
    const { routes } = JSON.parse(readFileSync(join(dist, 'preloads.json'), 'utf8')) as Preloads;
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    const ofPage = [...page.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => String(file));
    expect(routes.length).toBeGreaterThan(3);
    for (const { path, scripts, styles } of routes) {
      const files = [...new Set([...ofPage, ...scripts, ...styles])];
      const bytes = files.map((file) => statSync(join(dist, `${file}.br`)).size).reduce((sum, size) => sum + size, 0);
      expect(files.length, path).toBeGreaterThan(5);
      expect(files.length, path).toBeLessThanOrEqual(firstLoadFilesMax);
      expect(bytes, path).toBeLessThanOrEqual(firstLoadBytesMax);
      // menus and dialogs come when somebody reaches for one
      expect(files.filter((file) => file.includes('floating'))).toEqual([]);
    }
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
