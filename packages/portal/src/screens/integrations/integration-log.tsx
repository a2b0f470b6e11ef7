import { Button, Group, MultiSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import classes from './integrations.module.css';

const colours = { DEBUG: 'lightGray', INFO: 'blue', WARNING: 'gold', ERROR: 'red', FATAL: 'red' } as const;
const levels = Object.keys(colours);
const pageSize = 100;
/** The largest page that the server returns. */
const most = 300;

/** The log of an integration, newest first. */
export function IntegrationLog({ installationId }: { installationId: string }) {
  const [chosen, setChosen] = useUrlState('/builder/sources/integrations/$integration', 'level');
  const [limit, setLimit] = useState(pageSize);
  const [before, setBefore] = useState<{ timestamp: string; log_id: string }>();
  const shown = Array.isArray(chosen) ? chosen : [];
  const query = {
    limit,
    ...(shown.length > 0 ? { level: shown } : {}),
    ...(before ? { ...before, direction: 'down' } : {}),
  };
  const input = { params: { integration_identifier: installationId }, query };
  const reading = useRead('listIntegrationLogs', input, {
    ...(before ? {} : { everyMs: 10_000 }),
    keepsPrevious: true,
  });
  return (
    <>
      <Group mb="md">
        <MultiSelect
          aria-label={t('Levels')}
          placeholder={shown.length === 0 ? t('Any level') : ''}
          data={levels}
          value={shown}
          clearable
          clearButtonProps={{ 'aria-label': t('Any level') }}
          onChange={(next) => {
            setBefore(undefined);
            setChosen(next.length === 0 ? undefined : next);
          }}
        />
        {before && (
          <Button variant="subtle" size="compact-sm" onClick={() => setBefore(undefined)}>
            {t('Newest')}
          </Button>
        )}
      </Group>
      <Reading of={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              title={
                shown.length > 0 ? t('Nothing of these levels was logged') : t('This integration has logged nothing')
              }
            />
          ) : (
            <>
              <ul className={classes.log} aria-label={t('Log')}>
                {data.map(({ _id, level, message, timestamp, eventId }) => (
                  <li key={_id}>
                    <ColourBadge colour={colours[level]}>{level}</ColourBadge> <RelativeTime at={timestamp} />
                    {eventId && <span className={classes.event}>{` ${t('· resync {eventId}', { eventId })}`}</span>}
                    <Text size="sm" dir="auto" className={classes.message ?? ''}>
                      {message}
                    </Text>
                  </li>
                ))}
              </ul>
              <More
                count={data.length}
                limit={limit}
                isLoading={reading.isFetching}
                onMore={() => setLimit(Math.min(most, limit + pageSize))}
                onOlder={() => {
                  const last = data.at(-1);
                  if (last) setBefore({ timestamp: last.timestamp, log_id: last._id });
                }}
              />
            </>
          )
        }
      </Reading>
    </>
  );
}

function More({
  count,
  limit,
  isLoading,
  onMore,
  onOlder,
}: {
  count: number;
  limit: number;
  isLoading: boolean;
  onMore: () => void;
  onOlder: () => void;
}) {
  if (count < limit) return null;
  return (
    <Button variant="default" size="xs" mt="sm" loading={isLoading} onClick={limit < most ? onMore : onOlder}>
      {limit < most ? t('Show more') : t('Show older')}
    </Button>
  );
}
