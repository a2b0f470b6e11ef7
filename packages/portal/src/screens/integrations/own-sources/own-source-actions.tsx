import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange, useRead } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { useDelete } from '../../../kit/delete.ts';
import { t } from '../../../kit/translate.ts';
import { Needs } from '../../../parts/access/needs.tsx';
import { sourcePermit } from '../../../parts/access/permit.ts';
import { ownSourceAddress } from '../addresses.ts';
import { isOpen, type OwnSource, refetchMs, sourceReads } from './own-source.ts';

/** What can be done with a source: read it, see what a sync would change, stop one, pause it, delete it. */
export function OwnSourceActions({ source }: { source: OwnSource }) {
  const { identifier, isPaused } = source;
  const params = { source_identifier: identifier };
  const permit = sourcePermit(source.allowed.write);
  const known = useRead('listSourceSyncs', { params }).data?.syncs.find(isOpen);
  const syncs = useRead('listSourceSyncs', { params }, { everyMs: refetchMs(known !== undefined) });
  const open = syncs.data?.syncs.find(isOpen);
  const start = useChange('startSourceSync', { staleAfter: [...sourceReads] });
  const stop = useChange('cancelSourceSync', { staleAfter: [...sourceReads] });
  const patch = useChange('patchSource', { staleAfter: [...sourceReads] });
  const attempt = useAttempt();
  const navigate = useNavigate();
  const begin = (mode: 'full' | 'plan') =>
    attempt(async () => {
      const { sync } = await start.mutateAsync({ params, body: { mode } });
      if (mode === 'plan') await navigate({ ...ownSourceAddress(identifier), search: { tab: 'syncs', sync: sync.id } });
    });
  return (
    <>
      {open ? (
        <Needs permit={permit} to={t('sync and change {title}', { title: source.title })}>
          <Button
            variant="default"
            loading={stop.isPending}
            onClick={() =>
              void attempt(
                () => stop.mutateAsync({ params: { ...params, sync_id: open.id } }),
                t('The sync stops after the current page'),
              )
            }
          >
            {t('Stop')}
          </Button>
        </Needs>
      ) : (
        <>
          <Needs permit={permit} to={t('sync and change {title}', { title: source.title })}>
            <Button loading={start.isPending} onClick={() => void begin('full')}>
              {t('Read now')}
            </Button>
          </Needs>
          <Needs permit={permit} to={t('sync and change {title}', { title: source.title })}>
            <Button variant="default" disabled={start.isPending} onClick={() => void begin('plan')}>
              {t('Plan')}
            </Button>
          </Needs>
        </>
      )}
      <Needs permit={permit} to={t('sync and change {title}', { title: source.title })}>
        <Button
          variant="default"
          loading={patch.isPending}
          onClick={() =>
            void attempt(
              () => patch.mutateAsync({ params, body: { isPaused: !isPaused } }),
              isPaused ? t('The source is read again') : t('The source is paused'),
            )
          }
        >
          {isPaused ? t('Resume') : t('Pause')}
        </Button>
      </Needs>
      <DeleteSource source={source} />
    </>
  );
}

function DeleteSource({ source }: { source: OwnSource }) {
  const { identifier, title } = source;
  const { ask, isPending } = useDelete('deleteSource', { staleAfter: ['listSources'], leadsTo: '/builder/sources' });
  const deletion = {
    input: { params: { source_identifier: identifier } },
    name: title,
    consequence: t(
      'Its settings, secrets and syncs are gone, and nothing keeps its entities up to date any more. The entities stay.',
    ),
    button: t('Delete the source'),
  };
  return (
    <Needs permit={sourcePermit(source.allowed.write)} to={t('delete {title}', { title })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending}>
        {t('Delete')}
      </Button>
    </Needs>
  );
}
