import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.types.ts';

const Editor = lazy(async () => ({ default: (await import('./code-editor-rendered.tsx')).CodeEditorRendered }));

/** Code, editable or read-only. Tab leaves it; the editor loads when first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 120} />}>
      <Editor {...props} />
    </Suspense>
  );
}
