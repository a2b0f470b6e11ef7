import type { KeptRun } from '@portolan/evaluation';
import { useNavigate } from '@tanstack/react-router';
import { AnchorLink } from '../../frame/links.tsx';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { dollars, percent } from './evaluation-reads.ts';

/** Runs, the newest first, a row for each variant. */
export function RunList({ runs }: { runs: readonly KeptRun[] }) {
  const navigate = useNavigate();
  if (runs.length === 0) {
    return (
      <EmptyState title={t('Nothing was evaluated yet')}>
        {t('Press “Ask the cases”, or run “npx portolan eval” in a pipeline.')}
      </EmptyState>
    );
  }
  return (
    <DataTable
      label={t('Runs')}
      columns={columns}
      rows={runs}
      keyOf={({ identifier }) => identifier}
      onOpen={({ run }) => void navigate({ to: '/ai/evaluation/$run', params: { run } })}
      total={{ count: runs.length, isExact: true }}
    />
  );
}

const columns: Column<KeptRun>[] = [
  {
    key: 'variant',
    title: t('Asked'),
    width: 280,
    cell: ({ run, variant }) => (
      <AnchorLink to="/ai/evaluation/$run" params={{ run }}>
        {variant}
      </AnchorLink>
    ),
  },
  { key: 'started', title: t('Started'), width: 150, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  {
    key: 'right',
    title: t('Right'),
    width: 150,
    cell: ({ counts, count, share }) =>
      t('{right} of {count} ({share})', { right: counts.right, count, share: percent(share) }),
  },
  {
    key: 'interval',
    title: t('95 % interval'),
    width: 150,
    cell: ({ low, high }) => t('{low} to {high}', { low: percent(low), high: percent(high) }),
  },
  { key: 'time', title: t('Time, median'), width: 120, align: 'end', cell: ({ p50Ms }) => duration(p50Ms) },
  {
    key: 'cost',
    title: t('Cost'),
    width: 100,
    align: 'end',
    cell: ({ costUsd }) => (costUsd === null ? t('not known') : dollars(costUsd)),
  },
];
