import { lazy, Suspense } from 'react';
import classes from './parts.module.css';

const Rendered = lazy(async () => ({ default: (await import('./markdown-rendered.tsx')).MarkdownRendered }));

/** Text of people as Markdown: never HTML of theirs, and links only to the web, to mail and inside the portal. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown} dir="auto">
      <Suspense fallback={<p>{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
