import { lazy, Suspense } from 'react';
import classes from './kit.module.css';

const load = () => import('./markdown-rendered.tsx');
export const MarkdownRendered = lazy(async () => ({ default: (await load()).MarkdownRendered }));

/** Fetches what the first answer needs while its question is still being written. */
export function prepareMarkdown(): void {
  // where it fails now, the first text tries again
  load().catch(() => {});
}

/** Text of people as Markdown: never HTML of theirs, and links only to the web, to mail and inside the portal. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown} dir="auto">
      <Suspense fallback={<p>{text}</p>}>
        <MarkdownRendered text={text} writer="person" />
      </Suspense>
    </div>
  );
}
