import { Table } from '@mantine/core';
import type { KeptRun } from '@portolan/evaluation';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { dollars, percent } from './evaluation-reads.ts';
import { Verdict } from './verdict.tsx';

/** Variants side by side: quality with its interval, time and cost, and what the comparison with the base comes to. */
export function VariantsTable({ variants, base }: { variants: readonly KeptRun[]; base: KeptRun | undefined }) {
  const hasUndecided = variants.some(({ counts }) => counts.undecided > 0);
  return (
    <ScrolledTable label={t('Variants')} minWidth={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Asked')}</Table.Th>
          <Table.Th>{t('Right')}</Table.Th>
          <Table.Th>{t('95 % interval')}</Table.Th>
          <Table.Th>{t('Refused')}</Table.Th>
          <Table.Th>{t('Wrong')}</Table.Th>
          <Table.Th>{t('Failed')}</Table.Th>
          {hasUndecided && <Table.Th>{t('Cannot tell')}</Table.Th>}
          <Table.Th>{t('Time, median')}</Table.Th>
          <Table.Th>{t('Time, 95 %')}</Table.Th>
          <Table.Th>{t('Cost')}</Table.Th>
          <Table.Th>{t('Compared')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {variants.map((each) => (
          <Table.Tr key={each.identifier}>
            <Table.Th scope="row">
              <span dir="auto">{each.variant}</span>
            </Table.Th>
            <Table.Td>
              {t('{right} of {count} ({share})', {
                right: each.counts.right,
                count: each.count,
                share: percent(each.share),
              })}
            </Table.Td>
            <Table.Td>{t('{low} to {high}', { low: percent(each.low), high: percent(each.high) })}</Table.Td>
            <Table.Td>{each.counts.refused}</Table.Td>
            <Table.Td>{each.counts.wrong}</Table.Td>
            <Table.Td>{each.counts.failed}</Table.Td>
            {hasUndecided && <Table.Td>{each.counts.undecided}</Table.Td>}
            <Table.Td>{duration(each.p50Ms)}</Table.Td>
            <Table.Td>{duration(each.p95Ms)}</Table.Td>
            <Table.Td>{each.costUsd === null ? t('not known') : dollars(each.costUsd)}</Table.Td>
            <Table.Td>
              {base === undefined || base.identifier === each.identifier ? (
                t('the base')
              ) : (
                <Verdict base={base.cases} now={each.cases} />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrolledTable>
  );
}
