import { Group, Select, Switch, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useUrlState } from '../../frame/url-state.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import type { LayoutRequest } from '../../parts/graph/layout.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { FocusCanvas } from './focus-canvas.tsx';
import { allMax, type FocusNodes, focusNodes } from './focus-nodes.ts';
import { type Lane, mostConnected } from './lanes.ts';
import { cardHeight, cardWidth, propertyHeight, propertyLines } from './model-card.tsx';
import classes from './model-graph.module.css';
import { connectedWith, findNeighbors, type Link, type Links } from './model-links.ts';
import type { ModelView } from './model-view.ts';
import { useLayout } from './use-layout.ts';

/** Names on more arrows than these would cover the cards. */
const labelledMax = 24;
const labelCharacter = 6.6;
const labelPadding = 12;

/** One blueprint and what is around it as cards, or all where they are few; placed in a worker. */
export function ModelFocus({ view, lanes }: { view: ModelView; lanes: readonly Lane[] }) {
  const { blueprints, links } = view;
  const navigate = useNavigate();
  const [asked] = useUrlState('/builder/data-model', 'focus');
  const [depth = 1, setDepth] = useUrlState('/builder/data-model', 'depth');
  const [withProperties, setWithProperties] = useUrlState('/builder/data-model', 'properties');
  const isKnown = blueprints.some(({ identifier }) => identifier === asked);
  const fallback = blueprints.length > allMax ? mostConnected(blueprints, links)?.identifier : undefined;
  const focus = isKnown ? asked : fallback;
  const graph = useMemo(() => {
    const nodes = nodesOf(blueprints, links, lanes, focus, depth);
    const edges = edgesOf(nodes, links);
    return { nodes, edges, request: requestOf(blueprints, nodes, edges, withProperties === true) };
  }, [blueprints, links, lanes, focus, depth, withProperties]);
  const read = useLayout(graph);
  const choose = (identifier: string | null) => {
    const chosen = identifier ?? undefined;
    void navigate({ to: '.', search: (before) => ({ ...before, focus: chosen, type: chosen }) });
  };
  return (
    <div className={classes.focus}>
      <Group gap="md" align="flex-end">
        <Select
          label={t('Focus on')}
          searchable
          clearable={blueprints.length <= allMax}
          placeholder={t('All blueprints')}
          data={blueprints.map(({ identifier, title }) => ({ value: identifier, label: title }))}
          value={focus ?? null}
          onChange={choose}
        />
        {focus !== undefined && (
          <div>
            <Text size="sm" fw={500} component="span" display="block">
              {t('Depth')}
            </Text>
            <SegmentedControl
              aria-label={t('Depth')}
              data={['1', '2', '3']}
              value={String(depth)}
              onChange={(value) => setDepth(value === '1' ? undefined : Number(value))}
            />
          </div>
        )}
        <Switch
          label={t('Show properties')}
          checked={withProperties === true}
          onChange={({ currentTarget }) => setWithProperties(currentTarget.checked || undefined)}
          pb={8}
        />
      </Group>
      {read.error && !read.data ? (
        <ErrorState error={read.error} what={t('The graph could not be drawn')} onRetry={() => void read.refetch()} />
      ) : !read.data ? (
        <div aria-busy="true">
          <TextSkeleton lines={8} />
        </div>
      ) : (
        <FocusCanvas view={view} graph={read.data} focus={focus} onFocus={choose} />
      )}
      <Text size="sm" c="dimmed">
        {t('Solid arrows are required relations, dashed ones are optional.')}
      </Text>
    </div>
  );
}

function nodesOf(
  blueprints: readonly Blueprint[],
  links: Links,
  lanes: readonly Lane[],
  focus: string | undefined,
  depth: number,
): FocusNodes {
  if (focus === undefined) return { shown: blueprints.map(({ identifier }) => identifier), folds: [] };
  const titles = new Map(lanes.flatMap(({ title, blueprints: of }) => of.map((each) => [each.identifier, title])));
  return focusNodes(links, focus, depth, (identifier) => titles.get(identifier) ?? t('Other'));
}

/** The arrows between the cards; those to folded blueprints lead to their fold, each once. */
function edgesOf({ shown, folds }: FocusNodes, links: Links): readonly Link[] {
  const drawn = new Set(shown);
  const inner = shown.flatMap((each) =>
    findNeighbors(links, each).out.filter(({ from, to }) => from !== to && drawn.has(to)),
  );
  const folded = folds.flatMap(({ id, members }) => {
    const ends = new Set(
      members.flatMap((member) => [...connectedWith(links, member)].filter((each) => drawn.has(each))),
    );
    return [...ends].map((from): Link => ({ from, to: id, label: '', isRequired: false }));
  });
  return [...inner, ...folded];
}

function requestOf(
  blueprints: readonly Blueprint[],
  { shown, folds }: FocusNodes,
  edges: readonly Link[],
  withProperties: boolean,
): LayoutRequest {
  const all = new Map(blueprints.map((each) => [each.identifier, each]));
  const heightOf = (identifier: string) => {
    const blueprint = all.get(identifier);
    return cardHeight + (withProperties && blueprint ? propertyLines(blueprint).length * propertyHeight : 0);
  };
  const isLabelled = edges.length <= labelledMax;
  return {
    nodes: [
      ...shown.map((id) => ({ id, width: cardWidth, height: heightOf(id) })),
      ...folds.map(({ id }) => ({ id, width: cardWidth, height: cardHeight })),
    ],
    edges: edges.map(({ from, to, label }) => ({
      from,
      to,
      labelWidth: isLabelled && label ? Math.round(label.length * labelCharacter + labelPadding) : 0,
    })),
  };
}
