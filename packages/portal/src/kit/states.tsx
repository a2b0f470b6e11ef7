import { Alert, Button, Code, CopyButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, use, useEffect, useState } from 'react';
import { ApiError, errorStatus } from '../api/api.ts';
import { ForbiddenHelp } from './forbidden-help.ts';
import classes from './kit.module.css';
import { NotFound } from './not-found.tsx';
import { t } from './translate.ts';

/** Nothing here yet: one sentence, the first step, and a link to read on. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack className={classes.empty ?? ''} align="flex-start" gap="xs">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children && <Text c="dimmed">{children}</Text>}
      {action}
    </Stack>
  );
}

/** What failed, whether anything changed, and how to continue. */
export function ErrorState({
  error,
  onRetry,
  what,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  what?: string;
}) {
  const status = errorStatus(error);
  if (status === 403) return <Forbidden error={error} />;
  const body = error instanceof ApiError ? error.body : undefined;
  const issues = Array.isArray(body?.details) ? body.details : [];
  return (
    <Alert
      color="red"
      title={what ?? (status === 404 ? t('This is not here, or not for you') : t('This could not be read'))}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {status === 0 ? t('The server could not be reached. Check the connection.') : (error as Error).message}
        </Text>
        {issues.length > 0 && (
          <ul className={classes.issues}>
            {issues.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <Code>{path}</Code> {message}
              </li>
            ))}
          </ul>
        )}
        <Group gap="xs">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('Try again')}
            </Button>
          )}
          {body && (
            <CopyButton value={JSON.stringify(body, null, 2)}>
              {({ copied, copy }) => (
                <Button size="xs" variant="subtle" color="gray" onClick={copy}>
                  {copied ? t('Copied') : t('Copy the details')}
                </Button>
              )}
            </CopyButton>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** The user may know that it exists but lacks the permission. */
function Forbidden({ error }: { error?: unknown }) {
  return (
    <Alert color="yellow" title={t('This is not for you')} role="alert">
      <div>{error instanceof Error ? error.message : t('You may not see this.')}</div>
      <div>{use(ForbiddenHelp)}</div>
    </Alert>
  );
}

/** True once something takes longer than `afterMs`, so that quick loads show no indicator. */
export function useIsSlow(isWaiting: boolean, afterMs = 300): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, afterMs]);
  return isWaiting && isSlow;
}

/** Placeholder lines for text that is loading. */
export function TextSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <Stack gap={10} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Skeleton key={`line ${line}`} height={12} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

/** Placeholder for a table that is loading. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Stack gap={8} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <Skeleton key={`row ${row}`} height={28} />
      ))}
    </Stack>
  );
}

/**
 * Renders a read or its state: nothing at first, then the skeleton, then what it waits for; errors offer a retry.
 * Earlier data stays visible during a refetch.
 */
export function Reading<Data>({
  of: query,
  children,
  skeleton = <TextSkeleton />,
  waitsFor,
  isScreen = false,
}: {
  of: UseQueryResult<Data>;
  /** The whole screen depends on this read: a missing thing shows the not-found screen, and errors have a heading. */
  isScreen?: boolean;
  children: (data: Data) => ReactNode;
  skeleton?: ReactNode;
  /** Shown after four seconds, such as "Still counting the entities". */
  waitsFor?: string;
}) {
  const isWaiting = query.isPending;
  const isSlow = useIsSlow(isWaiting);
  const isVerySlow = useIsSlow(isWaiting, 4000);
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error && isScreen && errorStatus(query.error) === 404) return <NotFound />;
  if (query.error) {
    return (
      <>
        {isScreen && (
          <Title order={1} mb="md">
            {t('This screen cannot be shown')}
          </Title>
        )}
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  }
  return (
    <div aria-busy="true">
      {isSlow && skeleton}
      <Text size="sm" c="dimmed" role="status">
        {isVerySlow ? (waitsFor ?? t('Still waiting for the server')) : ''}
      </Text>
    </div>
  );
}
