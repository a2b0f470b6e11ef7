import { Select, Table, Text, Title } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { locale } from '../../kit/language.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { TeamBadge } from '../../parts/badges.tsx';
import classes from './scorecards.module.css';
import { rankTeams, type Standing } from './team-standings.ts';

/** Teams by the share of their entities that reach a level. */
export function Leaderboard({ scorecard: { blueprint, identifier, levels } }: { scorecard: Scorecard }) {
  const [chosen, setChosen] = useUrlState('/builder/scorecards/$blueprint/$scorecard', 'target');
  const titles = levels.map(({ title }) => title);
  const target = chosen !== undefined && titles.includes(chosen) ? chosen : (titles.at(-1) ?? '');
  const reached = titles.slice(titles.indexOf(target));
  const params = { blueprint_identifier: blueprint };
  const grouped = { groupBy: '$team', limit: 1000 } as const;
  const all = useRead('groupBlueprintEntities', {
    params,
    body: {
      ...grouped,
      query: { combinator: 'and', rules: [{ scorecard: identifier, operator: 'isNotEmpty' }] },
    },
  });
  const passing = useRead(
    'groupBlueprintEntities',
    {
      params,
      body: {
        ...grouped,
        query: { combinator: 'and', rules: [{ scorecard: identifier, operator: 'in', value: reached }] },
      },
    },
    { keepsPrevious: true },
  );
  return (
    <section className={surfaces.block} aria-label={t('Teams')}>
      <div className={classes.previewHead}>
        <Title order={2} size="h3">
          {t('Teams')}
        </Title>
        <Select
          label={t('At or above')}
          w={180}
          data={titles.slice(1)}
          value={target}
          allowDeselect={false}
          onChange={(next) => setChosen(next ?? undefined)}
        />
      </div>
      <Reading of={all}>
        {({ groups }) => {
          const { ranked, small } = rankTeams(groups, passing.data?.groups ?? []);
          if (ranked.length + small.length === 0) {
            return (
              <EmptyState title={t('No team owns a measured entity')}>
                {t('Set owning teams on the entities to compare teams here.')}
              </EmptyState>
            );
          }
          return (
            <>
              {ranked.length > 0 && <Standings label={t('Teams at or above {target}', { target })} teams={ranked} />}
              {small.length > 0 && (
                <>
                  <Text size="sm" c="dimmed" mt="sm">
                    {t('Teams with fewer than three measured entities, not ranked')}
                  </Text>
                  <Standings label={t('Teams with few entities')} teams={small} />
                </>
              )}
            </>
          );
        }}
      </Reading>
    </section>
  );
}

function Standings({ label, teams }: { label: string; teams: readonly Standing[] }) {
  return (
    <ScrolledTable label={label} minWidth={420}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Team')}</Table.Th>
          <Table.Th scope="col">{t('Share')}</Table.Th>
          <Table.Th scope="col">{t('Entities')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {teams.map(({ team, owned, passed }) => (
          <Table.Tr key={team}>
            <Table.Th scope="row">
              <TeamBadge identifier={team} />
            </Table.Th>
            <Table.Td>
              <span className={classes.shareCell}>
                <span className={classes.shareTrack} aria-hidden="true">
                  <span className={classes.shareFill} style={{ width: `${(passed / owned) * 100}%` }} />
                </span>
                {Math.round((passed / owned) * 100)} %
              </span>
            </Table.Td>
            <Table.Td>
              {t('{passed} of {owned}', { passed: passed.toLocaleString(locale), owned: owned.toLocaleString(locale) })}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrolledTable>
  );
}
