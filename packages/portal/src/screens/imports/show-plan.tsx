import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { TableResult } from '@portolan/tables';
import { plural, t } from '../../kit/translate.ts';
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
          {plural(
            planned.missing,
            'An earlier file had one entity more, which is kept; you can delete it afterwards.',
            '{count} entities of an earlier file. They are kept; you can delete them afterwards.',
          )}
        </Alert>
      )}
      {planned.refusedRows === planned.rows && (
        <Text role="status">{t('Every row is refused, so there is nothing to import. Go back to the columns.')}</Text>
      )}
      <Group>
        <Button disabled={planned.refusedRows === planned.rows} loading={isBusy} onClick={onApply}>
          {writes === 0
            ? t('Import, though nothing changes')
            : plural(writes, 'Import {count} row', 'Import {count} rows')}
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
