import { lazy, Suspense } from 'react';
import classes from './ai.module.css';

const load = () => import('./streamed-markdown-rendered.tsx');
const Rendered = lazy(async () => ({ default: (await load()).StreamedMarkdownRendered }));

/** Fetches what the first answer needs while its question is still being written. */
export function prepareMarkdown(): void {
  // where it fails now, the first answer tries again
  load().catch(() => {});
}

/** What a model wrote, as Markdown that may still be growing: never HTML, and no pictures from elsewhere. */
export function StreamedMarkdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <div className={classes.text} dir="auto">
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <Rendered text={text} isStreaming={isStreaming} />
      </Suspense>
    </div>
  );
}
