import { Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { useRead } from '../../../api/query.ts';
import { Block } from '../../../kit/block.tsx';
import { ScrolledTable } from '../../../kit/scrolled-table.tsx';
import { Reading } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { WrittenLink } from '../../../kit/written-link.tsx';
import { ColourBadge } from '../../../parts/badges.tsx';
import type { Sync } from './own-source.ts';
import { isOpen, refetchMs } from './own-source.ts';

type Problem = AnswerOf<'listSourceSyncProblems'>['problems'][number];

const severities = {
  error: [t('Error'), 'red'],
  warning: [t('Warning'), 'yellow'],
  note: [t('Note'), 'lightGray'],
} as const;

/** What a sync could not do, a page at a time, with where its author finds it. */
export function SyncProblems({ source, sync }: { source: string; sync: Sync }) {
  const [after, setAfter] = useState(0);
  const input = { params: { source_identifier: source, sync_id: sync.id }, query: { after } };
  const everyMs = isOpen(sync) ? refetchMs(true) : undefined;
  const reading = useRead('listSourceSyncProblems', input, { keepsPrevious: true, ...(everyMs ? { everyMs } : {}) });
  return (
    <Block title={t('Problems')}>
      <Reading of={reading}>
        {({ problems, next }) =>
          problems.length === 0 && after === 0 ? (
            <Text c="dimmed">{t('None.')}</Text>
          ) : (
            <Stack gap="sm" align="flex-start">
              <ScrolledTable label={t('Problems')} minWidth={640}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t('Severity')}</Table.Th>
                    <Table.Th scope="col">{t('Problem')}</Table.Th>
                    <Table.Th scope="col">{t('Where')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {problems.map((problem, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a page of a list that only grows
                    <Table.Tr key={`${after + index}`}>
                      <Table.Td>
                        <ColourBadge colour={severities[problem.severity][1]}>
                          {severities[problem.severity][0]}
                        </ColourBadge>
                      </Table.Td>
                      <Table.Td>{problem.message}</Table.Td>
                      <Table.Td>
                        <Place problem={problem} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </ScrolledTable>
              <Paging after={after} next={next} onPage={setAfter} />
            </Stack>
          )
        }
      </Reading>
    </Block>
  );
}

/** Forward by what the server says, and back to the start. */
export function Paging({
  after,
  next,
  onPage,
}: {
  after: number;
  next: number | null;
  onPage: (after: number) => void;
}) {
  return (
    <Button.Group>
      {after > 0 && (
        <Button size="xs" variant="default" onClick={() => onPage(0)}>
          {t('To the first')}
        </Button>
      )}
      {next !== null && (
        <Button size="xs" variant="default" onClick={() => onPage(next)}>
          {t('Next 100')}
        </Button>
      )}
    </Button.Group>
  );
}

function Place({ problem: { item, place } }: { problem: Problem }) {
  const line = [place?.line, place?.column].filter((each) => each !== undefined).join(':');
  const text = [place?.file ?? item, line, place?.path].filter(Boolean).join(' ');
  return <WrittenLink href={place?.url}>{text || (place?.url ?? '–')}</WrittenLink>;
}
