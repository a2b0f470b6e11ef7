import { Table, Text, Title } from '@mantine/core';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
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
        Still written the old way ({oldWriters.length.toLocaleString()})
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="70ch">
        {isMigrated(report)
          ? 'Titles are still understood where they mean one team, and each answer says what to write instead. Change these to write identifiers.'
          : 'These name teams by titles today. They go on to work after the migration, and are best changed to write identifiers then.'}
      </Text>
      <Some of={oldWriters} what="writers">
        {(shown) => (
          <ScrolledTable label="Who still writes the old way" minWidth={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Who</Table.Th>
                <Table.Th scope="col">Writes</Table.Th>
                <Table.Th scope="col">Where</Table.Th>
                <Table.Th scope="col">Times</Table.Th>
                <Table.Th scope="col">Last</Table.Th>
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
            title <span dir="auto">“{title}”</span>
          </>
        ) : (
          <>
            relation <code>{relation}</code>
          </>
        )}
      </Table.Td>
      <Table.Td>
        {inWords(resource.kind)} <code>{resource.identifier}</code>
      </Table.Td>
      <Table.Td>{count.toLocaleString()}</Table.Td>
      <Table.Td>
        <RelativeTime at={lastSeen} />
      </Table.Td>
    </Table.Tr>
  );
}

function writerKey({ datasource, by, resource, relation }: OldWriter): string {
  return JSON.stringify([datasource, by, resource, relation]);
}
