import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorStatus } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { t } from '../../kit/translate.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';

/** A missing entity: whether it was renamed or deleted, by whom and when, as far as the user may read the audit log. */
export function Gone({
  blueprint,
  identifier,
  error,
  isFrozen = false,
  children,
}: {
  blueprint: string;
  identifier: string;
  error: unknown;
  isFrozen?: boolean;
  children?: ReactNode;
}) {
  const isGone = errorStatus(error) === 404;
  const audit = useRead(
    'getAuditLog',
    { query: { entity: identifier, blueprint, status: 'SUCCESS', limit: 1 } },
    { isOn: isGone },
  );
  const [last] = audit.data?.audits ?? [];
  const renamedTo = last && (last.diff?.after as { identifier?: string } | null | undefined)?.identifier;
  const by = last?.trigger?.by.user?.email ?? last?.trigger?.by.userId;
  if (isGone && last && (last.action === 'DELETE' || (renamedTo && renamedTo !== identifier))) {
    return (
      <Alert
        color="yellow"
        title={
          last.action === 'DELETE'
            ? t('{identifier} was deleted', { identifier })
            : t('{identifier} was renamed', { identifier })
        }
        mb="md"
        role="status"
      >
        <Text size="sm">
          {t('By')} {by}, <RelativeTime at={last.trigger?.at} />.{' '}
          {last.action !== 'DELETE' && renamedTo && (
            <>
              {t('Now:')} <EntityAnchor blueprint={blueprint} identifier={renamedTo} />.
            </>
          )}
          {isFrozen && ` ${t('Below is what was read last.')}`}
        </Text>
      </Alert>
    );
  }
  if (!isFrozen) return <>{children}</>;
  return (
    <Alert
      color="yellow"
      mb="md"
      role="status"
      title={isGone ? t('This entity is not here any more') : t('The entity could not be read again')}
    >
      {t('Below is what was read last.')}
    </Alert>
  );
}
