import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

/** What is wrong with a piece of the text; marked there, and to be said in words beside the editor too. */
export interface CodeProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface CodeEditorProps {
  readonly value: string;
  readonly language: 'json' | 'yaml' | 'jq' | 'markdown' | 'text';
  /** What it edits, for assistive technology. */
  readonly label: string;
  /** Absent where it only shows. */
  readonly onChange?: (value: string) => void;
  readonly problems?: readonly CodeProblem[];
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

const Editor = lazy(async () => ({ default: (await import('./code-editor-rendered.tsx')).CodeEditorRendered }));

/** Text of a machine, edited or shown. Tab leaves it; what it needs is loaded when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 120} />}>
      <Editor {...props} />
    </Suspense>
  );
}
