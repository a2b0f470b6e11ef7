import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/api.ts';
import { DiffView } from '../../kit/diff-view.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { AuditSentenceText, useAuditNames } from '../../parts/audit/audit-sentence.tsx';
import { type AuditNames, type AuditRecord, originName } from '../../parts/audit/sentence.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import classes from './entity.module.css';

/** The audit log of the entity, newest first, with the changes. */
export function Audit({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const found = useInfiniteQuery({
    queryKey: ['getAuditLog', blueprint, identifier],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('getAuditLog', {
        query: { entity: identifier, blueprint, limit: 25, ...(pageParam ? { next: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const names = useAuditNames();
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <TextSkeleton lines={8} />;
  const records = found.data.pages.flatMap(({ audits }) => audits);
  if (records.length === 0)
    return <EmptyState title={t('Nothing is recorded')}>{t('What is done with this entity appears here.')}</EmptyState>;
  return (
    <Stack gap="sm">
      {records.map((record) => (
        <Entry key={record.identifier} record={record} names={names} />
      ))}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {t('Show older')}
        </Button>
      )}
    </Stack>
  );
}

function Entry({ record, names }: { record: AuditRecord; names: AuditNames }) {
  const { status, trigger, diff } = record;
  return (
    <article className={classes.record}>
      <div className={classes.recordHead}>
        <AuditSentenceText record={record} names={names} />
        <Text span size="sm" c="dimmed">
          {originName(trigger?.origin)} · <RelativeTime at={trigger?.at} />
        </Text>
        {status === 'FAILURE' && <StatusBadge status="FAILURE" />}
      </div>
      {diff && <DiffView before={diff.before} after={diff.after} />}
    </article>
  );
}
