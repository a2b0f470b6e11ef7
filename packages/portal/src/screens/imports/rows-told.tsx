import { Button, Stack, Table, Text, Title } from '@mantine/core';
import { type Table as ReadTable, type TableResult, writeRefusedRows } from '@portolan/tables';
import { useState } from 'react';
import { DiffView } from '../../kit/diff-view.tsx';
import { locale } from '../../kit/language.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { download } from '../../parts/entities/export-entities.ts';
import classes from './imports.module.css';

const shownMax = 100;

/** What became of the rows, or would. */
export function RowFigures({ result, isPlan }: { result: TableResult; isPlan: boolean }) {
  const figures: [string, number][] = [
    [isPlan ? t('To create') : t('Created'), result.created],
    [isPlan ? t('To change') : t('Changed'), result.changed],
    [t('Unchanged'), result.unchanged],
    ...(result.waiting > 0 ? [[t('Waiting for others'), result.waiting] as [string, number]] : []),
    [t('Refused'), result.refusedRows],
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The refused rows with the reason, and all of them to download. */
export function RefusedRows({ table, result }: { table: ReadTable; result: TableResult }) {
  const [isWriting, setWriting] = useState(false);
  if (result.refusedRows === 0) return null;
  const shown = result.problems.slice(0, shownMax);
  const save = async () => {
    setWriting(true);
    const parts: string[] = [];
    for await (const line of writeRefusedRows(table, result.problems)) parts.push(line);
    download('refused-rows.csv', 'text/csv', parts.join(''));
    setWriting(false);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h3">
        {t('Refused rows')}
      </Title>
      <Text size="sm">
        {t('These are left out. Put them right in the file, or download them with a column that says why.')}
      </Text>
      <Button variant="default" size="xs" loading={isWriting} onClick={() => void save()}>
        {t('Download the refused rows')}
      </Button>
      <ScrolledTable label={t('Refused rows')} minWidth={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Row')}</Table.Th>
            <Table.Th scope="col">{t('Column')}</Table.Th>
            <Table.Th scope="col">{t('Problem')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ row, column, message }) => (
            <Table.Tr key={`${row} ${column} ${message}`}>
              <Table.Td>{row}</Table.Td>
              <Table.Td dir="auto">{column ?? ''}</Table.Td>
              <Table.Td className={classes.value}>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrolledTable>
      {result.problems.length > shown.length && <Text size="sm">{t('The download has the others.')}</Text>}
    </Stack>
  );
}

/** The first rows that change something, with what was before. */
export function PlannedChanges({ result }: { result: TableResult }) {
  if (result.changes.length === 0) return null;
  const shown = result.changes.slice(0, shownMax);
  const more = result.created + result.changed - shown.length;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t('What would change')}
      </Title>
      {shown.map(({ row, identifier, change, before, after }) => (
        <details key={row}>
          <summary>
            <Sentence
              text="Row {row}: {word} <code/>"
              values={{ row, word: change === 'created' ? 'create' : 'change' }}
              parts={{ code: <code>{identifier}</code> }}
            />
          </summary>
          <DiffView before={before ?? {}} after={after} />
        </details>
      ))}
      {more > 0 && <Text size="sm">{t('and {more} more', { more: more.toLocaleString(locale) })}</Text>}
    </Stack>
  );
}
