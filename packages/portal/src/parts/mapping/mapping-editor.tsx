import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { MappingEditorProps } from './mapping-editor.types.ts';

const Rendered = lazy(async () => ({ default: (await import('./mapping-editor-rendered.tsx')).MappingEditorRendered }));

/** A mapping between what comes in and what it makes of that, tried while it is written. */
export function MappingEditor(props: MappingEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Rendered {...props} />
    </Suspense>
  );
}
