import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { TableResult } from '@portolan/tables';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import type { OpenedTable } from './import-steps.ts';
import { PlannedChanges, RefusedRows, RowFigures } from './rows-told.tsx';

/** The third step: what the import would do. Nothing is written yet. */
export function ShowPlan({
  opened,
  planned,
  isBusy,
  onBack,
  onApply,
}: {
  opened: OpenedTable;
  planned: TableResult;
  isBusy: boolean;
  onBack: () => void;
  onApply: () => void;
}) {
  const writes = planned.created + planned.changed + planned.waiting;
  return (
    <Stack gap="lg">
      <RowFigures result={planned} isPlan />
      {planned.missing !== null && planned.missing > 0 && (
        <Alert color="yellow" title={t('Not in this file')}>
          {t('{word} of an earlier file. They are kept; you can delete them afterwards.', {
            word: planned.missing === 1 ? '1 entity' : t('{missing} entities', { missing: planned.missing }),
          })}
        </Alert>
      )}
      {planned.refusedRows === planned.rows && (
        <Text role="status">{t('Every row is refused, so there is nothing to import. Go back to the columns.')}</Text>
      )}
      <Group>
        <Button disabled={planned.refusedRows === planned.rows} loading={isBusy} onClick={onApply}>
          {writes === 0
            ? t('Import, though nothing changes')
            : t('Import {writes} {word}', {
                writes: writes.toLocaleString(locale),
                word: writes === 1 ? 'row' : 'rows',
              })}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onBack}>
          {t('Back to the columns')}
        </Button>
      </Group>
      <RefusedRows table={opened.table} result={planned} />
      <PlannedChanges result={planned} />
    </Stack>
  );
}
