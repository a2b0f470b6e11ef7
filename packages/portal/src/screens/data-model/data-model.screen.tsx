import { Button, Group, SegmentedControl, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Search } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import classes from './data-model.module.css';
import { NewBlueprint } from './new-blueprint.tsx';

const Graph = lazy(async () => ({ default: (await import('./graph.tsx')).Graph }));

/** All blueprints, as a list and as a graph with the same links. */
export function Screen() {
  const session = useSession();
  const reading = useRead('listBlueprints');
  const [view = 'list', setView] = useUrlState('/builder/data-model', 'view');
  const [sought = '', setSought] = useUrlState('/builder/data-model', 'search');
  const [withSystem, setWithSystem] = useUrlState('/builder/data-model', 'system');
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Stack gap="md">
      <PageHeader
        title="Data model"
        description="What the catalog is made of: blueprints, their properties and how they relate."
        actions={
          isAdmin(session) && (
            <Button leftSection={<Plus size={16} />} onClick={open}>
              New blueprint
            </Button>
          )
        }
      />
      <Group gap="sm">
        <TextInput
          aria-label="Search blueprints"
          placeholder="Search"
          leftSection={<Search size={16} aria-hidden="true" />}
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value || undefined)}
        />
        <SegmentedControl
          aria-label="View"
          value={view}
          onChange={(value) => setView(value === 'list' ? undefined : value)}
          data={[
            { value: 'list', label: 'List' },
            { value: 'graph', label: 'Graph' },
          ]}
        />
        <Switch
          label="Show built-in blueprints"
          checked={withSystem === true}
          onChange={({ currentTarget }) => setWithSystem(currentTarget.checked || undefined)}
        />
      </Group>
      <Reading of={reading} skeleton={<TableSkeleton />}>
        {({ blueprints }) => (
          <Blueprints
            blueprints={blueprints}
            sought={sought}
            withSystem={withSystem === true}
            view={view}
            onClear={() => setSought(undefined)}
          />
        )}
      </Reading>
      {isOpen && <NewBlueprint onClose={close} />}
    </Stack>
  );
}

function Blueprints({
  blueprints,
  sought,
  withSystem,
  view,
  onClear,
}: {
  blueprints: readonly Blueprint[];
  sought: string;
  withSystem: boolean;
  view: string;
  onClear: () => void;
}) {
  const shown = useMemo(() => {
    const word = sought.toLowerCase();
    return blueprints
      .filter(({ identifier }) => withSystem || !identifier.startsWith('_'))
      .filter(({ identifier, title }) => `${identifier} ${title}`.toLowerCase().includes(word))
      .toSorted((left, right) => left.title.localeCompare(right.title));
  }, [blueprints, sought, withSystem]);
  if (shown.length === 0 && sought) {
    return (
      <EmptyState
        title="No blueprint has this in its name"
        action={<Button onClick={onClear}>Clear the search</Button>}
      >
        {`There are ${blueprints.length} blueprints without it.`}
      </EmptyState>
    );
  }
  if (shown.length === 0) {
    return (
      <EmptyState title="There is no blueprint yet">
        A blueprint says what something is, such as a service, and what is known of it. Begin with a new one.
      </EmptyState>
    );
  }
  if (view === 'graph') {
    return (
      <Suspense fallback={<Skeleton height={480} />}>
        <Graph blueprints={shown} />
      </Suspense>
    );
  }
  return (
    <ul className={surfaces.list} aria-label="Blueprints">
      {shown.map((blueprint) => (
        <Row key={blueprint.identifier} blueprint={blueprint} all={blueprints} />
      ))}
    </ul>
  );
}

function Row({ blueprint, all }: { blueprint: Blueprint; all: readonly Blueprint[] }) {
  const { identifier, title, icon, schema, relations, ownership, teamInheritance, description } = blueprint;
  const titles = Object.entries(relations).map(
    ([key, { target, title: said }]) =>
      `${said ?? key} → ${all.find((each) => each.identifier === target)?.title ?? target}`,
  );
  return (
    <li className={classes.item}>
      <Group gap="sm" wrap="nowrap" className={classes.itemText ?? ''}>
        <EntityIcon name={icon} size={20} />
        <div>
          <AnchorLink {...blueprintAddress(identifier)} fw={600} dir="auto">
            {title}
          </AnchorLink>{' '}
          <code>{identifier}</code>
          {description && <div className={classes.detail}>{description}</div>}
          <div className={classes.detail}>
            {counted(Object.keys(schema.properties).length, 'property', 'properties')}
            {titles.length > 0 && ` · ${titles.join(', ')}`}
          </div>
        </div>
      </Group>
      <Group gap="xs">
        <Ownership ownership={ownership} isLegacy={teamInheritance !== undefined} />
        <BlueprintMenu blueprint={blueprint} />
      </Group>
    </li>
  );
}

function Ownership({ ownership, isLegacy }: { ownership: Blueprint['ownership']; isLegacy: boolean }) {
  if (ownership?.type === 'Direct') return <ColourBadge colour="green">Direct ownership</ColourBadge>;
  if (ownership) return <ColourBadge colour="blue">Inherited ownership</ColourBadge>;
  if (isLegacy) return <ColourBadge colour="gold">Inherited teams</ColourBadge>;
  return (
    <Text size="sm" c="dimmed">
      No ownership
    </Text>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
