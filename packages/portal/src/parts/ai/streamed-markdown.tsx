import { type ReactNode, Suspense } from 'react';
import { MarkdownRendered } from '../../kit/markdown.tsx';
import type { TextNote } from '../../kit/markdown-notes.ts';
import classes from './ai.module.css';

/** Markdown by a model, possibly incomplete: no HTML, and no images from elsewhere. */
export function StreamedMarkdown({
  text,
  isStreaming = false,
  notes,
  drawNote,
}: {
  text: string;
  isStreaming?: boolean;
  notes?: readonly TextNote[] | undefined;
  drawNote?: ((id: number) => ReactNode) | undefined;
}) {
  return (
    <div className={classes.text} dir="auto">
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <MarkdownRendered text={text} writer="model" isGrowing={isStreaming} notes={notes} drawNote={drawNote} />
      </Suspense>
    </div>
  );
}
