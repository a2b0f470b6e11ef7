import { Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { PackChange } from '@portolan/contract/packs';
import { useState } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { describeItem, groupChanges, type Pack, packReads } from './pack-things.ts';
import classes from './packs.module.css';

type Resolutions = Readonly<Record<string, 'rename' | 'skip'>>;

/** What installing the model would change, with a decision for each conflict, and the button that does it. */
export function InstallPreview({ pack, onClose }: { pack: Pack; onClose: () => void }) {
  const params = { pack_id: pack.id };
  const plan = useRead('planPack', { params, body: { for: 'install' } });
  const install = useChange('installPack', { staleAfter: packReads });
  const [resolutions, setResolutions] = useState<Resolutions>({});
  const toast = useToast();
  const open = (plan.data?.changes ?? []).filter(({ change, id }) => change === 'conflict' && !resolutions[id]);
  const act = async () => {
    try {
      await install.mutateAsync({ params, body: { resolutions } });
      toast(t('{title} is installed', { title: pack.title }));
      onClose();
    } catch {
      // the error is shown above the buttons
    }
  };
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('Install {title}', { title: pack.title })}>
      <Stack gap="md">
        <Text size="sm">{t('Blueprints that you have are extended; nothing of yours is replaced.')}</Text>
        <Reading of={plan}>
          {({ changes }) => (
            <Changes changes={changes}>
              {(change) =>
                change.change === 'conflict' && (
                  <NativeSelect
                    size="xs"
                    aria-label={t('Decide on {change}', { change: describeItem(change) })}
                    value={resolutions[change.id] ?? ''}
                    onChange={({ currentTarget }) =>
                      setResolutions({ ...resolutions, [change.id]: currentTarget.value as 'rename' | 'skip' })
                    }
                    data={[
                      { value: '', label: t('Decide'), disabled: true },
                      { value: 'rename', label: t('Bring it under another name') },
                      { value: 'skip', label: t('Leave it out and use yours') },
                    ]}
                  />
                )
              }
            </Changes>
          )}
        </Reading>
        {install.error && <ErrorState error={install.error} what={t('Nothing was installed')} />}
        <Group justify="flex-end">
          {open.length > 0 && (
            <Text size="sm" c="dimmed">
              {open.length === 1
                ? t('1 conflict needs a decision.')
                : t('{count} conflicts need a decision.', { count: open.length })}
            </Text>
          )}
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button loading={install.isPending} disabled={!plan.data || open.length > 0} onClick={() => void act()}>
            {t('Install')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** What removing the model would take along and what stays, and the button that does it. */
export function RemovalPreview({ pack, onClose }: { pack: Pack; onClose: () => void }) {
  const params = { pack_id: pack.id };
  const [deleteEntities, setDeleteEntities] = useState<Readonly<Record<string, number>>>({});
  const plan = useRead('planPack', { params, body: { for: 'remove', deleteEntities } }, { keepsPrevious: true });
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const remove = useChange('removePack', { staleAfter: packReads });
  const toast = useToast();
  const choose = (blueprint: string, count: number, isChosen: boolean) => {
    setCounts({ ...counts, [blueprint]: count });
    const { [blueprint]: _before, ...others } = deleteEntities;
    setDeleteEntities(isChosen ? { ...others, [blueprint]: count } : others);
  };
  const act = async () => {
    try {
      const { changes } = await remove.mutateAsync({ params, body: { deleteEntities } });
      const kept = changes.filter(({ change }) => change === 'kept').length;
      toast(
        kept === 0
          ? t('{title} was removed', { title: pack.title })
          : t('{title} was removed; what you use or changed stays', { title: pack.title }),
      );
      onClose();
    } catch {
      // the error is shown above the buttons
    }
  };
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('Remove {title}', { title: pack.title })}>
      <Stack gap="md">
        <Text size="sm">{t('What you changed or use stays, and is yours from then on.')}</Text>
        <Reading of={plan}>
          {({ changes }) => (
            <Changes changes={changes}>
              {({ kind, identifier, entities = counts[identifier] }) =>
                kind === 'blueprint' &&
                entities !== undefined && (
                  <Checkbox
                    size="xs"
                    label={
                      entities === 1
                        ? t('Delete it with its entity')
                        : t('Delete it with its {entities} entities', { entities })
                    }
                    checked={deleteEntities[identifier] !== undefined}
                    onChange={({ currentTarget }) => choose(identifier, entities, currentTarget.checked)}
                  />
                )
              }
            </Changes>
          )}
        </Reading>
        {remove.error && <ErrorState error={remove.error} what={t('Nothing was removed')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} disabled={!plan.data} onClick={() => void act()}>
            {t('Remove')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Changes({
  changes,
  children,
}: {
  changes: readonly PackChange[];
  children: (change: PackChange) => React.ReactNode;
}) {
  if (changes.length === 0) return <Text c="dimmed">{t('Nothing of it is left.')}</Text>;
  return (
    <Stack gap="sm" className={classes.changes ?? ''} tabIndex={0} role="region" aria-label={t('What changes')}>
      {groupChanges(changes).map((group) => (
        <section key={group.change} aria-label={group.title}>
          <Title order={3} size="h5">
            {group.title} ({group.changes.length})
          </Title>
          <ul className={classes.items}>
            {group.changes.map((change) => (
              <li key={change.id}>
                <span>{describeItem(change)}</span>
                {change.reason && <span className={classes.reason}>{change.reason}.</span>}
                {children(change)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}
