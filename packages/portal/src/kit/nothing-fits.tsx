import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './states.tsx';
import { t } from './translate.ts';

/** A list whose filters leave nothing: says so, and takes them away. */
export function NothingFits({
  title,
  onClear,
  children,
}: {
  title: string;
  onClear: () => void;
  children?: ReactNode;
}) {
  return (
    <EmptyState
      title={title}
      action={
        <Button variant="default" size="xs" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
