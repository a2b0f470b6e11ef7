import { lazy, Suspense } from 'react';
import classes from './kit.module.css';

const load = () => import('./markdown-rendered.tsx');
export const MarkdownRendered = lazy(async () => ({ default: (await load()).MarkdownRendered }));

/** Preloads the renderer while the first question is being typed. */
export function prepareMarkdown(): void {
  // the first text retries
  load().catch(() => {});
}

/** Markdown by people: no HTML, and links only to the web, to mail and inside the portal. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown} dir="auto">
      <Suspense fallback={<p>{text}</p>}>
        <MarkdownRendered text={text} writer="person" />
      </Suspense>
    </div>
  );
}
