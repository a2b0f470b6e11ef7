import { Group, Table } from '@mantine/core';
import { useEffect } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { rememberEntity } from '../../frame/recent.ts';
import { useParam } from '../../frame/url-state.ts';
import { TeamBadge } from '../../parts/badges.tsx';
import { CopyValue } from '../../parts/copy-value.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Reading } from '../../parts/states.tsx';

export function Screen() {
  const blueprint = useParam('blueprint');
  const identifier = useParam('entity');
  const params = { blueprint_identifier: blueprint, entity_identifier: identifier };
  const read = useRead('getEntity', { params });
  const title = read.data?.entity.title;
  useRemembered(blueprint, identifier, title);
  return (
    <Reading of={read} isScreen>
      {({ entity }) => (
        <>
          <PageHeader
            title={entity.title || identifier}
            icon={entity.icon ?? ''}
            description={
              <Group gap={6}>
                <span>{blueprint}</span>·<code>{identifier}</code>
                <CopyValue value={identifier} what="the identifier" />
                {(entity.team ?? []).map((each) => (
                  <TeamBadge key={each} identifier={each} />
                ))}
                · updated <RelativeTime at={entity.updatedAt} />
              </Group>
            }
          />
          <Table maw={860}>
            <Table.Tbody>
              {Object.entries(entity.properties ?? {}).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" w={240} fw={500}>
                    {name}
                  </Table.Th>
                  <Table.Td>
                    {typeof value === 'object' ? <code>{JSON.stringify(value)}</code> : String(value)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Reading>
  );
}

/** What was looked at is offered first next time. */
function useRemembered(blueprint: string, identifier: string, title: string | null | undefined): void {
  const session = useSession();
  const person = session.user?.email ?? session.organization.id;
  useEffect(() => {
    if (title !== undefined) rememberEntity(person, { blueprint, identifier, title: title ?? identifier });
  }, [person, blueprint, identifier, title]);
}
