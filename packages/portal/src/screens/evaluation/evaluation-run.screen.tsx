import { NativeSelect } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { CaseResults } from './case-results.tsx';
import { readRuns, useRuns, useVariants } from './evaluation-reads.ts';
import { VariantsTable } from './variants-table.tsx';

/** One evaluation: its variants side by side, compared with one of them or with an earlier run, and every case. */
export function Screen() {
  const run = useParam('run');
  const [base, setBase] = useUrlState('/ai/evaluation/$run', 'base');
  const own = useVariants(run);
  const all = useRuns();
  const earlier = readRuns(all.data?.entities ?? []).filter((each) => each.run !== run);
  const chosen = typeof base === 'string' ? earlier.find((each) => each.identifier === base) : undefined;
  // of another run only the figures are there yet
  const other = useVariants(chosen?.run ?? run);
  return (
    <Reading of={own} isScreen skeleton={<TableSkeleton />}>
      {({ entities }) => {
        const variants = readRuns(entities).sort((a, b) =>
          a.identifier.localeCompare(b.identifier, 'en', { numeric: true }),
        );
        const [first] = variants;
        if (!first) {
          return (
            <>
              <PageHeader title={t('Evaluation run')} trail={[{ to: '/ai/evaluation', label: t('Evaluation') }]} />
              <EmptyState title={t('There is no such run')} />
            </>
          );
        }
        const against = [...variants, ...readRuns(other.data?.entities ?? [])].find((each) => each.identifier === base);
        return (
          <>
            <PageHeader
              title={t('Evaluation of {count} cases', { count: first.count })}
              trail={[{ to: '/ai/evaluation', label: t('Evaluation') }]}
              description={<RelativeTime at={first.startedAt} />}
            />
            <NativeSelect
              label={t('Compare with')}
              maw={420}
              mb="sm"
              value={String(base ?? first.identifier)}
              onChange={({ currentTarget }) => setBase(currentTarget.value)}
              data={[
                ...variants.map((each) => ({ value: each.identifier, label: each.variant })),
                ...earlier.map((each) => ({
                  value: each.identifier,
                  label: `${each.variant}, ${each.startedAt.slice(0, 16).replace('T', ' ')}`,
                })),
              ]}
              rightSection={<ChevronDown size={14} aria-hidden="true" />}
            />
            <VariantsTable variants={variants} base={against ?? first} />
            <CaseResults variants={variants} />
          </>
        );
      }}
    </Reading>
  );
}
