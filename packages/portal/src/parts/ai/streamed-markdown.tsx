import { Suspense } from 'react';
import { MarkdownRendered } from '../../kit/markdown.tsx';
import classes from './ai.module.css';

/** What a model wrote, as Markdown that may still be growing: never HTML, and no pictures from elsewhere. */
export function StreamedMarkdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <div className={classes.text} dir="auto">
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <MarkdownRendered text={text} writer="model" isGrowing={isStreaming} />
      </Suspense>
    </div>
  );
}
