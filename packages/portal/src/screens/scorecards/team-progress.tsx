import { Table } from '@mantine/core';
import type { CampaignProgress } from '@portolan/contract/campaigns';
import { useState } from 'react';
import { locale } from '../../kit/language.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { t } from '../../kit/translate.ts';
import { TeamBadge } from '../../parts/badges.tsx';
import { percent } from './campaign-words.ts';
import classes from './scorecards.module.css';
import { ShowMore } from './show-more.tsx';

const step = 20;

/** How far each team is, most open entities first. */
export function TeamProgress({ progress: { teams, teamCount } }: { progress: CampaignProgress }) {
  const [shownMax, setShownMax] = useState(step);
  return (
    <>
      <ScrolledTable label={t('Progress by team')} minWidth={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Team')}</Table.Th>
            <Table.Th scope="col">{t('Share')}</Table.Th>
            <Table.Th scope="col">{t('Reached')}</Table.Th>
            <Table.Th scope="col">{t('Exempt')}</Table.Th>
            <Table.Th scope="col">{t('Open')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {teams.slice(0, shownMax).map(({ team, total, reached, exempt }) => (
            <Table.Tr key={team ?? ''}>
              <Table.Th scope="row" className={classes.ruleName}>
                {team === null ? t('No team') : <TeamBadge identifier={team} />}
              </Table.Th>
              <Table.Td>
                <span className={classes.shareCell}>
                  <span className={classes.shareTrack} aria-hidden="true">
                    <span className={classes.shareFill} style={{ width: `${percent({ reached, total })}%` }} />
                  </span>
                  {percent({ reached, total })} %
                </span>
              </Table.Td>
              <Table.Td>
                {t('{reached} of {total}', {
                  reached: reached.toLocaleString(locale),
                  total: total.toLocaleString(locale),
                })}
              </Table.Td>
              <Table.Td>{exempt === 0 ? '0' : `◇ ${exempt.toLocaleString(locale)}`}</Table.Td>
              <Table.Td>{(total - reached - exempt).toLocaleString(locale)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrolledTable>
      <ShowMore
        mt="sm"
        size="xs"
        what={t('teams')}
        left={teams.length - shownMax}
        onMore={() => setShownMax(shownMax + step)}
      />
      {teamCount > teams.length && (
        <p className={classes.none}>
          {t('The {count} teams with most open entities, of {teamCount}.', {
            count: teams.length.toLocaleString(locale),
            teamCount: teamCount.toLocaleString(locale),
          })}
        </p>
      )}
    </>
  );
}
