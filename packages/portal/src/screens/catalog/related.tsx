import { SegmentedControl, Select, Stack } from '@mantine/core';
import type { Blueprint } from '@portolan/contract/blueprints';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { EntityExplorer } from '../../parts/entities/entity-explorer.tsx';
import type { Field, FieldEntity } from '../../parts/entities/fields.ts';
import { type Connection, listConnections } from './connections.ts';

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
  return (
    <Reading of={read}>
      {({ blueprints }) => (
        <Body
          connections={listConnections(blueprint, entity, fields, blueprints)}
          blueprints={blueprints as readonly Blueprint[]}
          blueprint={blueprint}
          entity={entity}
        />
      )}
    </Reading>
  );
}

function Body({
  connections,
  blueprints,
  blueprint,
  entity,
}: {
  connections: readonly Connection[];
  blueprints: readonly Blueprint[];
  blueprint: string;
  entity: FieldEntity;
}) {
  const [face, setFace] = useUrlState('/e/$blueprint/$entity', 'face');
  const [chosen, setChosen] = useUrlState('/e/$blueprint/$entity', 'over');
  const navigate = useNavigate();
  const setBoth = (over: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, face: undefined, over }) });
  const connection = useMemo(
    () => connections.find(({ id }) => id === chosen) ?? connections[0],
    [connections, chosen],
  );
  if (!connection)
    return (
      <EmptyState title="No relations">
        Neither this blueprint nor another one has a relation that leads here or from here.
      </EmptyState>
    );
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Table or graph"
        style={{ alignSelf: 'flex-start' }}
        size="xs"
        data={[
          { value: 'table', label: 'Table' },
          { value: 'graph', label: 'Graph' },
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
            onTable={({ id }) => setBoth(id)}
          />
        </Suspense>
      ) : (
        <>
          <Select
            label="Connected over"
            maw={420}
            allowDeselect={false}
            data={connections.map(({ id, title }) => ({ value: id, label: title }))}
            value={connection.id}
            onChange={(id) => setChosen(id ?? undefined)}
          />
          <EntityExplorer
            key={connection.id}
            blueprint={connection.blueprint}
            label={connection.title}
            dataset={connection.query}
            name={`-${connection.id}`}
            isCompact
            empty={<EmptyState title="Nothing is connected this way" />}
          />
        </>
      )}
    </Stack>
  );
}
