import { Select, Stack, Text } from '@mantine/core';
import { useRead } from '../../../api/query.ts';
import { useUrlState } from '../../../frame/url-state.ts';
import { Block } from '../../../kit/block.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../../kit/states.tsx';
import { exact } from '../../../kit/time.ts';
import { plural, t } from '../../../kit/translate.ts';
import { countsText, isOpen, modeWords, type OwnSource, refetchMs, type Sync, statusWords } from './own-source.ts';
import { SyncChanges } from './sync-changes.tsx';
import { SyncProblems } from './sync-problems.tsx';

/** The last syncs; of the chosen one what it came to, its problems, and of a plan its changes. */
export function OwnSourceSyncs({ source: { identifier } }: { source: OwnSource }) {
  const params = { source_identifier: identifier };
  const known = useRead('listSourceSyncs', { params }).data?.syncs.some(isOpen) ?? false;
  const reading = useRead('listSourceSyncs', { params }, { everyMs: refetchMs(known) });
  const [asked, setAsked] = useUrlState('/builder/sources/own/$source', 'sync');
  return (
    <Reading of={reading} skeleton={<TableSkeleton />}>
      {({ syncs }) => {
        const sync = syncs.find(({ id }) => id === asked) ?? syncs[0];
        if (!sync)
          return (
            <EmptyState title={t('This source has not been read yet')}>
              {t('Read it now, or look at a plan first.')}
            </EmptyState>
          );
        return (
          <Stack gap="lg" maw={960}>
            <Select
              label={t('Sync')}
              maw={520}
              allowDeselect={false}
              data={syncs.map((each) => ({ value: each.id, label: labelOf(each) }))}
              value={sync.id}
              onChange={(next) => setAsked(next ?? undefined)}
            />
            <Outcome sync={sync} />
            <SyncProblems key={`problems ${sync.id}`} source={identifier} sync={sync} />
            {sync.mode === 'plan' && <SyncChanges key={`changes ${sync.id}`} source={identifier} sync={sync} />}
          </Stack>
        );
      }}
    </Reading>
  );
}

function labelOf({ startedAt, mode, status }: Sync): string {
  return `${exact(new Date(startedAt))} · ${modeWords[mode]} · ${statusWords[status]}`;
}

function Outcome({ sync }: { sync: Sync }) {
  const { mode, status, note, problem, counts } = sync;
  return (
    <Block title={mode === 'plan' ? t('What a sync would do') : t('Result')}>
      <Stack gap={4} role="status">
        <Text>
          {statusWords[status]}. {countsText(sync)}.
        </Text>
        {note && <Text size="sm">{note}</Text>}
        {problem && <Text size="sm">{[problem.message, problem.fix].filter(Boolean).join('. ')}</Text>}
        {status === 'incomplete' && <Text size="sm">{t('Not all of it was read, so nothing was deleted.')}</Text>}
        {mode === 'plan' && <Text size="sm">{t('Nothing was written.')}</Text>}
        <Text size="sm" c="dimmed">
          {plural(counts.requests, '{count} request', '{count} requests')}
        </Text>
      </Stack>
    </Block>
  );
}
