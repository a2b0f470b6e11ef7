import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AnswerOf, call } from '../../api/api.ts';
import { DiffView } from '../../kit/diff-view.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, TextSkeleton } from '../../kit/states.tsx';
import { StatusBadge } from '../../parts/badges.tsx';
import classes from './entity.module.css';

type AuditRecord = AnswerOf<'getAuditLog'>['audits'][number];

const verbs: Readonly<Record<string, string>> = {
  CREATE: 'Created',
  UPDATE: 'Changed',
  DELETE: 'Deleted',
  TIMER_EXPIRED: 'A timer expired',
};

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
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <TextSkeleton lines={8} />;
  const records = found.data.pages.flatMap(({ audits }) => audits);
  if (records.length === 0)
    return <EmptyState title="Nothing is recorded">What is done with this entity appears here.</EmptyState>;
  return (
    <Stack gap="sm">
      {records.map((record) => (
        <Entry key={record.identifier} record={record} />
      ))}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          Show older
        </Button>
      )}
    </Stack>
  );
}

function Entry({ record: { action = '', status, trigger, diff, message } }: { record: AuditRecord }) {
  const by = trigger?.by.user?.email ?? (trigger?.by.byPort ? 'The platform' : trigger?.by.userId);
  return (
    <article className={classes.record}>
      <div className={classes.recordHead}>
        <strong>{verbs[action] ?? action}</strong>
        <span>by {by}</span>
        <Text span size="sm" c="dimmed">
          {trigger?.origin} · <RelativeTime at={trigger?.at} />
        </Text>
        {status === 'FAILURE' && <StatusBadge status="FAILURE" />}
      </div>
      {message && (
        <Text size="sm" mt={4}>
          {message}
        </Text>
      )}
      {diff && <DiffView before={diff.before} after={diff.after} />}
    </article>
  );
}
