import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';

/** The first of many, and a button for more. */
export function Some<Item>({
  of: items,
  pageSize = 25,
  what,
  children,
}: {
  of: readonly Item[];
  pageSize?: number;
  /** Plural, such as `documents`. */
  what: string;
  children: (shown: readonly Item[]) => ReactNode;
}) {
  const [count, setCount] = useState(pageSize);
  const left = items.length - count;
  return (
    <>
      {children(items.slice(0, count))}
      {left > 0 && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setCount(count + Math.max(pageSize, 100))}>
          {t('Show more {what} ({left} left)', { what, left: left.toLocaleString(locale) })}
        </Button>
      )}
    </>
  );
}
