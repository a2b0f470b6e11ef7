import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { openTable, profileColumns, type TableFile } from '@portolan/tables';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import { DropZone } from './drop-zone.tsx';
import type { OpenedTable } from './import-steps.ts';
import { pastedFile, toTableFile } from './table-file.ts';

/** The first step: a file dropped or chosen, or cells pasted from a sheet. */
export function ChooseFile({ onOpened }: { onOpened: (opened: OpenedTable) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  const read = async (file: TableFile) => {
    setProblem(undefined);
    setReading(true);
    try {
      const table = await openTable(file);
      onOpened({ file, table, profiles: profileColumns(table.columns, table.sample) });
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setReading(false);
    }
  };
  const take = ([file, ...more]: readonly File[]) => {
    if (more.length > 0) setProblem(t('Choose one file at a time.'));
    else if (file) void read(toTableFile(file));
  };
  return (
    <Stack gap="lg" align="flex-start">
      {problem && (
        <Alert color="red" role="alert" title={t('This could not be read as a table')}>
          {problem}
        </Alert>
      )}
      <DropZone
        text={t('Drop an Excel workbook, or a CSV, TSV or JSON file of any size.')}
        button={t('Choose a file')}
        accept=".xlsx,.csv,.tsv,.txt,.json,.ndjson,.jsonl"
        isReading={isReading}
        onFiles={take}
      />
      <Textarea
        w="100%"
        label={t('Or paste cells from a sheet, CSV or JSON')}
        description={t('The first row holds the headings.')}
        autosize
        minRows={5}
        maxRows={14}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group>
        <Button variant="default" disabled={text.trim() === ''} onClick={() => void read(pastedFile(text))}>
          {t('Read what was pasted')}
        </Button>
      </Group>
    </Stack>
  );
}
