import { Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { listDifferences } from '../../kit/differences.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { type Field, type FieldEntity, fieldValue, relationKey } from '../../parts/entities/fields.ts';
import { PropertyValue } from '../../parts/entities/property-value.tsx';
import { useFields } from '../../parts/entities/use-fields.ts';
import { useNames } from '../../parts/entities/use-names.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { AsOfBanner } from '../../parts/past/as-of-banner.tsx';
import classes from '../../parts/past/past.module.css';
import { isStored } from '../../parts/past/past-table.tsx';

interface PastEntityProps {
  readonly blueprint: string;
  readonly identifier: string;
  readonly at: string;
  readonly onGo: (at: string | undefined) => void;
}

type Past = AnswerOf<'getEntity'>;
const noTitles = new Map<string, string>();

/** An entity as it was at a moment, with what is different now. */
export function PastEntity({ blueprint, identifier, at, onGo }: PastEntityProps) {
  const params = { blueprint_identifier: blueprint, entity_identifier: identifier };
  const past = useQuery({
    queryKey: ['getEntity', 'past', blueprint, identifier, at],
    queryFn: ({ signal }) => call('getEntity', { params, query: { as_of: at }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const now = useQuery({
    queryKey: ['getEntity', 'versioned', blueprint, identifier, 'now'],
    queryFn: ({ signal }) => call('getEntity', { params, signal }),
    retry: false,
  });
  const asOf = past.data?.asOf;
  const title = past.data?.entity.title || past.data?.entity.identifier || identifier;
  return (
    <>
      <PageHeader
        title={title}
        icon={past.data?.entity.icon ?? ''}
        description={
          <>
            <code>{past.data?.entity.identifier ?? identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
          </>
        }
      />
      <AsOfBanner
        at={at}
        hasSteps
        earlier={earlierThan(asOf?.changedAt, past.data?.entity.createdAt)}
        later={asOf?.nextChangeAt && asOf.nextChangeAt !== asOf.deletedAt ? asOf.nextChangeAt : undefined}
        onGo={onGo}
      >
        {asOf?.deletedAt && (
          <Text size="sm" mt="xs">
            {t('The entity was deleted since.')}
          </Text>
        )}
      </AsOfBanner>
      {past.error ? (
        <ErrorState error={past.error} onRetry={() => void past.refetch()} />
      ) : (
        <Reading of={past} isScreen>
          {(data) => <Values blueprint={blueprint} past={data} now={now.data?.entity} />}
        </Reading>
      )}
    </>
  );
}

/** Just before the change in force; nothing was there before the first. */
function earlierThan(changedAt: string | null | undefined, createdAt: string | undefined): string | undefined {
  if (!changedAt || changedAt === createdAt) return undefined;
  return new Date(Date.parse(changedAt) - 1).toISOString();
}

function Values({ blueprint, past, now }: { blueprint: string; past: Past; now: FieldEntity | undefined }) {
  const { fields } = useFields(blueprint);
  const names = useNames(noTitles);
  const { entity, asOf } = past;
  const shown = useMemo(() => [...(fields ?? []).filter(isStored), ...goneFields(entity, fields)], [fields, entity]);
  const unknown = new Map(asOf?.unknown.map(({ path, reason }) => [path, reason]));
  return (
    <ScrolledTable label={t('Values of then')} minWidth={500}>
      <Table.Tbody>
        {shown.map((field) => {
          const reason = unknown.get(pathOf(field));
          const value = fieldValue(entity, field);
          const current = now && fieldValue(now, field);
          const isDifferent = now !== undefined && reason === undefined && listDifferences(value, current).length > 0;
          return (
            <Table.Tr key={`${field.source} ${field.key}`} className={isDifferent ? (classes.differs ?? '') : ''}>
              <Table.Th scope="row">
                {field.title} {isDifferent && <Badge size="xs">{t('different now')}</Badge>}
              </Table.Th>
              <Table.Td>
                {reason === undefined ? (
                  <PropertyValue field={field} value={value} names={names} isWhole />
                ) : (
                  <Text span size="sm" c="dimmed">
                    {t('not known: {reason}', { reason })}
                  </Text>
                )}
                {isDifferent && (
                  <span className={classes.now}>
                    {t('Now:')} <PropertyValue field={field} value={current} names={names} />
                  </span>
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </ScrolledTable>
  );
}

function pathOf(field: Field): string {
  if (field.source === 'relation') return `relations.${relationKey(field)}`;
  return field.source === 'property' ? `properties.${field.key}` : field.key.slice(1);
}

/** Properties that the type had then and has no more, or under another name. */
function goneFields(entity: Past['entity'], fields: readonly Field[] | undefined): Field[] {
  if (!fields) return [];
  const known = new Set(fields.filter(({ source }) => source === 'property').map(({ key }) => key));
  return Object.keys(entity.properties ?? {})
    .filter((key) => !known.has(key))
    .map((key) => ({ key, title: key, source: 'property', shape: {}, isRequired: false }));
}
