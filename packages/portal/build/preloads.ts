import type { Plugin } from 'vite';

/**
 * What the screens that people open first bring besides the entry, by the pattern of their paths. The frame comes with
 * every screen; the lists name sources, so that a file that moved fails the build.
 */
const frame = ['src/portal.tsx', 'src/frame/rail-own.tsx', 'src/frame/rail-arranged.tsx'];
const screens: Readonly<Record<string, readonly string[]>> = {
  '^/$': [
    'src/screens/home/home.screen.tsx',
    'src/parts/widgets/dashboard.tsx',
    'src/parts/widgets/personal-widgets.tsx',
  ],
  '^/catalog/[^/]+$': ['src/screens/catalog/page.screen.tsx'],
  '^/e/[^/]+/[^/]+$': ['src/screens/catalog/entity.screen.tsx'],
  '.': [],
};

/**
 * Writes `preloads.json`: the files that a screen needs, for the server to name in the page. Otherwise a browser learns of
 * them one wave after the other.
 */
export function preloads(): Plugin {
  return {
    name: 'portolan-preloads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const filesOf = (source: string, found: Set<string>): void => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/packages/portal/${source}`)));
        if (!chunk) throw new Error(`There is no ${source} to preload any more: correct build/preloads.ts`);
        add(chunk.fileName, found);
      };
      const add = (fileName: string, found: Set<string>): void => {
        if (found.has(fileName)) return;
        found.add(fileName);
        for (const imported of chunks.find((each) => each.fileName === fileName)?.imports ?? []) add(imported, found);
      };
      const isFont = (name: string): boolean => /\/inter-latin-[\w-]{8}\.woff2$/.test(name);
      const stylesOf = (files: ReadonlySet<string>): string[] =>
        chunks
          .filter(({ fileName }) => files.has(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      const ofPage = new Set<string>();
      for (const { fileName } of chunks.filter(({ isEntry }) => isEntry)) add(fileName, ofPage);
      const linked = new Set(stylesOf(ofPage));
      const routes = Object.entries(screens).map(([path, sources]) => {
        const files = new Set<string>();
        for (const source of [...sources, ...frame]) filesOf(source, files);
        return { path, scripts: [...files], styles: stylesOf(files).filter((name) => !linked.has(name)) };
      });
      const fonts = Object.keys(bundle).filter(isFont);
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify({ fonts, routes }) });
    },
  };
}
