import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { Figures } from './figures.tsx';
import { RefusedEntities } from './refused-entities.tsx';

export type Migration = AnswerOf<'getDataMigration'>['migration'];

const isOver = ({ status }: Migration) => ['COMPLETED', 'FAILURE', 'CANCELLED'].includes(status);

/** The outcome of a migration in words. */
export function migrationWords(migration: Migration): string {
  const { status, undoOf, failureCount } = migration;
  if (status === 'COMPLETED' && failureCount > 0) {
    return t('{word} with errors ({failureCount})', {
      word: undoOf ? t('Undone') : t('Migrated'),
      failureCount: failureCount.toLocaleString(locale),
    });
  }
  const words: Record<Migration['status'], string> = {
    INITIALIZING: t('Beginning'),
    PENDING: t('Waiting'),
    RUNNING: undoOf ? t('Undoing') : t('Migrating'),
    PENDING_CANCELLATION: t('Stopping'),
    COMPLETED: undoOf ? t('Undone') : t('Migrated'),
    FAILURE: t('Migration failed'),
    CANCELLED: t('Cancelled'),
  };
  return words[status];
}

/** The progress of a migration, with buttons to cancel, rerun and undo it. */
export function MigrationProgress({ id, onBegun }: { id: string; onBegun: (id: string) => void }) {
  const params = { migration_id: id };
  const first = useRead('getDataMigration', { params });
  const isRunning = first.data !== undefined && !isOver(first.data.migration);
  const reading = useRead('getDataMigration', { params }, isRunning ? { everyMs: 1000 } : {});
  return (
    <Reading of={reading}>
      {({ migration }) => <Progressing key={migration.id} migration={migration} onBegun={onBegun} />}
    </Reading>
  );
}

function Progressing({ migration, onBegun }: { migration: Migration; onBegun: (id: string) => void }) {
  const { id, status, totalCount, successCount, failureCount, message, createdAt, createdBy, undoOf } = migration;
  const params = { migration_id: id };
  const done = successCount + failureCount;
  const share = isOver(migration) && status === 'COMPLETED' ? 100 : totalCount === 0 ? 0 : (done / totalCount) * 100;
  const words = migrationWords(migration);
  const staleAfter = ['getDataMigration', 'listDataMigrations'] as const;
  const cancel = useChange('cancelDataMigration', { staleAfter: [...staleAfter] });
  const rerun = useChange('rerunDataMigration', { staleAfter: [...staleAfter] });
  const undo = useChange('undoDataMigration', { staleAfter: [...staleAfter] });
  const errors = useRead('listDataMigrationErrors', { params }, { isOn: isOver(migration) && failureCount > 0 });
  const confirm = useConfirm();
  const begin = {
    onSuccess: ({ migrationId }: { migrationId: string }) => onBegun(migrationId),
  };
  const askUndo = async () => {
    const isSure = await confirm({
      title: undoOf
        ? t('Map again what was brought back')
        : t('Undo for {successCount} entities', { successCount: successCount.toLocaleString(locale) }),
      consequence: t(
        'Restores the earlier values. Entities that somebody changed since then are left unchanged and listed.',
      ),
      verb: undoOf ? t('Map again') : t('Undo'),
    });
    if (isSure) undo.mutate({ params }, begin);
  };
  const error = cancel.error ?? rerun.error ?? undo.error;
  const canRerun = isOver(migration) && !undoOf && (failureCount > 0 || status !== 'COMPLETED');
  return (
    <section className={surfaces.block} aria-label={t('Migration')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h3">
              {words}
            </Title>
            <StatusBadge status={status} label={words} />
          </Group>
          <Text size="sm" c="dimmed">
            {createdBy} · <RelativeTime at={createdAt} />
          </Text>
        </Group>
        <Progress.Root size="lg">
          <Progress.Section
            value={share}
            color={status === 'FAILURE' ? 'red' : 'indigo'}
            aria-label={t('{done} of {totalCount} entities', {
              done: done.toLocaleString(locale),
              totalCount: totalCount.toLocaleString(locale),
            })}
          />
        </Progress.Root>
        <Text role="status">
          {t('{done} of {totalCount} entities', {
            done: done.toLocaleString(locale),
            totalCount: totalCount.toLocaleString(locale),
          })}
          {isOver(migration) ? '' : '. You can close this page; the migration continues.'}
        </Text>
        <Figures
          of={[
            [t('Done'), successCount],
            [t('Failed'), failureCount],
          ]}
        />
        {message && (status === 'FAILURE' || status === 'CANCELLED') && <Alert color="yellow">{message}</Alert>}
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <Group gap="xs">
          {!isOver(migration) && (
            <Button
              variant="default"
              onClick={() => cancel.mutate({ params, body: {} })}
              loading={cancel.isPending}
              disabled={status === 'PENDING_CANCELLATION'}
            >
              {t('Cancel')}
            </Button>
          )}
          {canRerun && (
            <Button variant="default" onClick={() => rerun.mutate({ params }, begin)} loading={rerun.isPending}>
              {failureCount > 0
                ? t('Run again for what failed ({failureCount})', { failureCount: failureCount.toLocaleString(locale) })
                : t('Run the rest')}
            </Button>
          )}
          {isOver(migration) && successCount > 0 && (
            <Button variant="default" onClick={() => void askUndo()} loading={undo.isPending}>
              {undoOf ? t('Map again') : t('Undo')}
            </Button>
          )}
        </Group>
        {errors.data && errors.data.errors.length > 0 && (
          <RefusedEntities
            errors={errors.data.errors}
            title={t('{failureCount} failed', { failureCount: errors.data.failureCount.toLocaleString(locale) })}
          />
        )}
      </Stack>
    </section>
  );
}
