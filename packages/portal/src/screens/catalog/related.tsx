import { Skeleton, Stack, Tabs, UnstyledButton } from '@mantine/core';
import type { Blueprint } from '@portolan/contract/blueprints';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { Menu } from '../../kit/menu.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityExplorer } from '../../parts/entities/entity-explorer.tsx';
import type { Field, FieldEntity } from '../../parts/entities/fields.ts';
import { type Connection, listConnections } from './connections.ts';
import classes from './entity.module.css';
import { countText, type RelatedCounts, useRelatedCounts } from './related-counts.ts';

const Graph = lazy(async () => ({ default: (await import('./related-graph/related-graph.tsx')).RelatedGraph }));

/** The related entities by relation, in both directions, as tables and as a graph. */
export function Related({
  blueprint,
  entity,
  fields,
}: {
  blueprint: string;
  entity: FieldEntity;
  fields: readonly Field[];
}) {
  const read = useRead('listBlueprints');
  const counts = useRelatedCounts(blueprint, entity.identifier ?? '');
  return (
    <Reading of={read}>
      {({ blueprints }) =>
        counts.isPending ? (
          <Skeleton height={36} />
        ) : (
          <Body
            connections={listConnections(blueprint, entity, fields, blueprints)}
            counts={counts.data}
            blueprints={blueprints as readonly Blueprint[]}
            blueprint={blueprint}
            entity={entity}
          />
        )
      }
    </Reading>
  );
}

function Body({
  connections,
  counts,
  blueprints,
  blueprint,
  entity,
}: {
  connections: readonly Connection[];
  /** Undefined if they could not be read: then every relation has its tab, without a count. */
  counts: RelatedCounts | undefined;
  blueprints: readonly Blueprint[];
  blueprint: string;
  entity: FieldEntity;
}) {
  const [face, setFace] = useUrlState('/e/$blueprint/$entity', 'face');
  const [chosen, setChosen] = useUrlState('/e/$blueprint/$entity', 'over');
  const navigate = useNavigate();
  const openTable = (over: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, face: undefined, over }) });
  const isFilled = ({ id }: Connection) => counts === undefined || (counts.get(id)?.count ?? 0) > 0;
  const connection = useMemo(
    () =>
      connections.find(({ id }) => id === chosen) ??
      connections.find(({ id }) => (counts?.get(id)?.count ?? 0) > 0) ??
      connections[0],
    [connections, chosen, counts],
  );
  if (!connection)
    return (
      <EmptyState title={t('No relations')}>
        {t('Neither this blueprint nor another one has a relation that leads here or from here.')}
      </EmptyState>
    );
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('Table or graph')}
        size="xs"
        data={[
          { value: 'table', label: t('Table') },
          { value: 'graph', label: t('Graph') },
        ]}
        value={face === 'graph' ? 'graph' : 'table'}
        onChange={(value) => setFace(value === 'graph' ? 'graph' : undefined)}
      />
      {face === 'graph' ? (
        <Suspense
          fallback={
            <div aria-busy="true">
              <TextSkeleton lines={8} />
            </div>
          }
        >
          <Graph
            connections={connections}
            blueprints={blueprints}
            blueprint={blueprint}
            entity={entity}
            onTable={({ id }) => openTable(id)}
          />
        </Suspense>
      ) : (
        <>
          <Relations
            shown={connections.filter((each) => isFilled(each) || each.id === connection.id)}
            empty={connections.filter((each) => !isFilled(each) && each.id !== connection.id)}
            counts={counts}
            chosen={connection.id}
            onChoose={setChosen}
          />
          <EntityExplorer
            key={connection.id}
            blueprint={connection.blueprint}
            label={connection.title}
            dataset={connection.query}
            name={`-${connection.id}`}
            isCompact
            empty={<EmptyState title={t('No related entities')} />}
          />
        </>
      )}
    </Stack>
  );
}

/** A tab for each relation with its count; relations without an entity are in a menu. */
function Relations({
  shown,
  empty,
  counts,
  chosen,
  onChoose,
}: {
  shown: readonly Connection[];
  empty: readonly Connection[];
  counts: RelatedCounts | undefined;
  chosen: string;
  onChoose: (id: string | undefined) => void;
}) {
  return (
    <div className={classes.relations}>
      <Tabs variant="pills" value={chosen} onChange={(id) => onChoose(id ?? undefined)}>
        <Tabs.List aria-label={t('Relations')}>
          {shown.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
              {counts && <span className={classes.count}>{countText(counts.get(id))}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {empty.length > 0 && (
        <Menu withinPortal shadow="md">
          <Menu.Target>
            <UnstyledButton className={classes.emptyRelations}>
              {empty.length === 1 ? t('1 empty relation') : t('{count} empty relations', { count: empty.length })}
              <ChevronDown size={14} aria-hidden="true" />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {empty.map(({ id, title }) => (
              <Menu.Item key={id} onClick={() => onChoose(id)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
