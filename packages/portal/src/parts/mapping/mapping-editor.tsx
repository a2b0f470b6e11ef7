import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { MappingEditorProps } from './mapping-editor.types.ts';

const Rendered = lazy(async () => ({ default: (await import('./mapping-editor-rendered.tsx')).MappingEditorRendered }));

/** An editor for mappings that tries them on a sample while they are being written. */
export function MappingEditor(props: MappingEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Rendered {...props} />
    </Suspense>
  );
}
