import { Table, Text, Title } from '@mantine/core';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { inWords } from './manual-item.ts';
import { Some } from './more.tsx';
import { isMigrated, type Report } from './stage.ts';

type OldWriter = Report['oldWriters'][number];

/** Clients that still name teams by title, or write relations that are teams now; they have to be changed. */
export function OldWriters({ report }: { report: Report }) {
  const { oldWriters } = report;
  if (oldWriters.length === 0) return null;
  return (
    <section aria-labelledby="old-writers">
      <Title order={2} id="old-writers" mt="lg" mb="xs">
        {t('Still written the old way ({count})', { count: oldWriters.length.toLocaleString(locale) })}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="70ch">
        {isMigrated(report)
          ? t(
              'Titles are still understood where they mean one team, and each answer says what to write instead. Change these to write identifiers.',
            )
          : t(
              'These name teams by titles today. They go on to work after the migration, and are best changed to write identifiers then.',
            )}
      </Text>
      <Some of={oldWriters} what={t('writers')}>
        {(shown) => (
          <ScrolledTable label={t('Who still writes the old way')} minWidth={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Who')}</Table.Th>
                <Table.Th scope="col">{t('Writes')}</Table.Th>
                <Table.Th scope="col">{t('Where')}</Table.Th>
                <Table.Th scope="col">{t('Times')}</Table.Th>
                <Table.Th scope="col">{t('Last')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((writer) => (
                <Writer key={writerKey(writer)} writer={writer} />
              ))}
            </Table.Tbody>
          </ScrolledTable>
        )}
      </Some>
    </section>
  );
}

function Writer({ writer: { datasource, by, resource, relation, title, count, lastSeen } }: { writer: OldWriter }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {datasource}
        {by !== null && (
          <Text size="sm" c="dimmed" fw={400}>
            {by}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        {relation === null ? (
          <>
            {t('title')} <span dir="auto">“{title}”</span>
          </>
        ) : (
          <Sentence text="relation <code/>" parts={{ code: <code>{relation}</code> }} />
        )}
      </Table.Td>
      <Table.Td>
        {inWords(resource.kind)} <code>{resource.identifier}</code>
      </Table.Td>
      <Table.Td>{count.toLocaleString(locale)}</Table.Td>
      <Table.Td>
        <RelativeTime at={lastSeen} />
      </Table.Td>
    </Table.Tr>
  );
}

function writerKey({ datasource, by, resource, relation }: OldWriter): string {
  return JSON.stringify([datasource, by, resource, relation]);
}
