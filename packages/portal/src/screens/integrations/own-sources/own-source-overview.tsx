import { Alert, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/query.ts';
import { AnchorLink } from '../../../frame/links.tsx';
import { Block } from '../../../kit/block.tsx';
import { locale } from '../../../kit/language.ts';
import { RelativeTime } from '../../../kit/relative-time.tsx';
import { Sentence } from '../../../kit/sentence.tsx';
import { plural, t } from '../../../kit/translate.ts';
import { useListAddress } from '../../../parts/entities/list-address.ts';
import { MissingEntities } from '../../../parts/missing-entities.tsx';
import { ownSourceAddress } from '../addresses.ts';
import classes from '../integrations.module.css';
import { countsText, isOpen, type OwnSource, type Sync, statusWords } from './own-source.ts';
import { ReplaceSecrets } from './replace-secrets.tsx';
import { SourceEvents } from './source-events.tsx';

/** How a source is, what is wrong and what to do about it, and what it brought. */
export function OwnSourceOverview({ source }: { source: OwnSource }) {
  const { entities, lastSync } = source;
  const brought = Object.entries(entities);
  return (
    <Stack gap="lg" maw={760}>
      <State source={source} />
      <MissingEntities source={source} />
      {brought.length === 0 && lastSync?.status === 'completed' && lastSync.counts.read > 0 && (
        <Alert color="yellow" title={t('No entities were created')}>
          <Sentence
            text="{lastSync}. Either the filters of the mapping were false for all, or every item was refused. <link>Try the mapping</link> or <link2>see the problems</link2>."
            values={{ lastSync: countsText(lastSync) }}
            parts={{
              link: <AnchorLink {...ownSourceAddress(source.identifier)} search={{ tab: 'mapping' }} />,
              link2: <AnchorLink {...ownSourceAddress(source.identifier)} search={{ tab: 'syncs' }} />,
            }}
          />
        </Alert>
      )}
      {brought.length > 0 && (
        <Block title={t('Entities')}>
          <ul className={classes.spaced} aria-label={t('Entities by blueprint')}>
            {brought.map(([blueprint, count]) => (
              <li key={blueprint}>
                <EntitiesOf blueprint={blueprint} count={count} />
              </li>
            ))}
          </ul>
        </Block>
      )}
      <SourceEvents source={source} />
    </Stack>
  );
}

function EntitiesOf({ blueprint, count }: { blueprint: string; count: number }) {
  const address = useListAddress(blueprint);
  const own = useRead('listBlueprints').data?.blueprints ?? [];
  const title = own.find(({ identifier }) => identifier === blueprint)?.title ?? blueprint;
  return (
    <AnchorLink {...address}>
      {title} ({count.toLocaleString(locale)})
    </AnchorLink>
  );
}

function State({ source }: { source: OwnSource }) {
  const { problem, lastSync, identifier } = source;
  if (problem) {
    return (
      <Alert color="red" title={problem.message} role="alert">
        <Stack gap="sm">
          {problem.fix && <Text size="sm">{problem.fix}</Text>}
          <Text size="sm">{t('Until then it is not read, and nothing is deleted.')}</Text>
          {problem.code.startsWith('credentials_') ? (
            <ReplaceSecrets source={source} />
          ) : (
            <AnchorLink {...ownSourceAddress(identifier)} search={{ tab: 'settings' }} size="sm">
              {t('Open the settings')}
            </AnchorLink>
          )}
        </Stack>
      </Alert>
    );
  }
  if (lastSync && isOpen(lastSync)) return <Progress sync={lastSync} />;
  return (
    <Block title={t('State')}>
      <Stack gap={4} role="status">
        <Text>{sentenceOf(source)}</Text>
        {lastSync && <LastSync sync={lastSync}>{source.nextSyncAt && <Next at={source.nextSyncAt} />}</LastSync>}
        {lastSync && lastSync.counts.problems > 0 && (
          <AnchorLink {...ownSourceAddress(source.identifier)} search={{ tab: 'syncs', sync: lastSync.id }} size="sm">
            {plural(lastSync.counts.problems, '{count} problem', '{count} problems')}
          </AnchorLink>
        )}
      </Stack>
    </Block>
  );
}

function sentenceOf({ state, lastSync }: OwnSource): string {
  switch (state) {
    case 'live':
      return t('Reads run as planned.');
    case 'waiting':
      return t('The first read is about to start.');
    case 'late':
      return t('The read is overdue. Read now, or check whether the server is overloaded.');
    case 'paused':
      return t('Paused: nothing is read until you resume the source.');
    case 'failing':
      return lastSync?.problem
        ? [lastSync.problem.message, lastSync.problem.fix ?? t('Portolan tries again automatically.')].join('. ')
        : t('The last sync did not read everything. Portolan tries again automatically.');
  }
}

function Next({ at }: { at: string }) {
  return (
    <>
      {' '}
      <Sentence text="Next: <time/>." parts={{ time: <RelativeTime at={at} /> }} />
    </>
  );
}

function LastSync({ sync, children }: { sync: Sync; children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {statusWords[sync.status]} <RelativeTime at={sync.endedAt ?? sync.startedAt} />: {countsText(sync)}.{children}
    </Text>
  );
}

function Progress({ sync }: { sync: Sync }) {
  return (
    <Block title={sync.status === 'waiting' ? t('Waiting') : t('Reading now')}>
      <Stack gap={4} role="status">
        <Loader size="xs" aria-hidden="true" />
        {sync.note && <Text>{sync.note}</Text>}
        <Text size="sm">{countsText(sync)}</Text>
      </Stack>
    </Block>
  );
}
