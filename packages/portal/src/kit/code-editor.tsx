import { Skeleton } from '@mantine/core';
import { lazy, Suspense, use } from 'react';
import type { CodeEditorProps } from './code-editor.types.ts';
import { ReadingOnly } from './reading-only.ts';

const Editor = lazy(async () => ({ default: (await import('./code-editor-rendered.tsx')).CodeEditorRendered }));

/** Code, editable or read-only. Tab leaves it; the editor loads when first shown. */
export function CodeEditor({ onChange, ...props }: CodeEditorProps) {
  const isOff = use(ReadingOnly);
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 120} />}>
      <Editor {...props} {...(onChange && !isOff ? { onChange } : {})} />
    </Suspense>
  );
}
