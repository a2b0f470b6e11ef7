import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.types.ts';

const Editor = lazy(async () => ({ default: (await import('./code-editor-rendered.tsx')).CodeEditorRendered }));

/** Text of a machine, edited or shown. Tab leaves it; what it needs is loaded when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 120} />}>
      <Editor {...props} />
    </Suspense>
  );
}
