import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { t } from '../../kit/translate.ts';

const pageSize = 100;
const most = 1000;

export interface RunLimit {
  readonly limit: number;
  readonly grow: () => void;
}

/** How many runs a list reads: more of them as its end comes near. */
export function useRunLimit(): RunLimit {
  const [limit, setLimit] = useState(pageSize);
  return { limit, grow: () => setLimit(Math.min(most, limit + pageSize * 2)) };
}

/** A list of runs that grows as people read on. */
export function RunTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  addressOf,
  shown: { limit, grow },
  isLoadingMore,
  onClear,
  children,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  addressOf: (row: Row) => LinkProps;
  shown: RunLimit;
  isLoadingMore: boolean;
  /** Clears the filters, if there are any. */
  onClear: (() => void) | undefined;
  /** What is said where nothing has run yet. */
  children: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      onOpen={(row) => void navigate(addressOf(row))}
      hasMore={rows.length >= limit && limit < most}
      isLoadingMore={isLoadingMore}
      onMore={grow}
      total={{ count: rows.length, isExact: rows.length < limit }}
      empty={onClear ? <NothingFits title={t('No run fits')} onClear={onClear} /> : children}
    />
  );
}
