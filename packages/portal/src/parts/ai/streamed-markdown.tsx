import { Suspense } from 'react';
import { MarkdownRendered } from '../../kit/markdown.tsx';
import classes from './ai.module.css';

/** Markdown by a model, possibly incomplete: no HTML, and no images from elsewhere. */
export function StreamedMarkdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <div className={classes.text} dir="auto">
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <MarkdownRendered text={text} writer="model" isGrowing={isStreaming} />
      </Suspense>
    </div>
  );
}
