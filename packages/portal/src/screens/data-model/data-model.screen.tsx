import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useDeferredValue, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { locale } from '../../kit/language.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import type { Blueprint } from './blueprint-draft.ts';
import { allMax } from './focus-nodes.ts';
import { listSources, makeLanes } from './lanes.ts';
import classes from './model-graph.module.css';
import { collectLinks } from './model-links.ts';
import { ModelList } from './model-list.tsx';
import type { ModelView } from './model-view.ts';
import { NewBlueprint } from './new-blueprint.tsx';
import { useEntityCounts } from './use-entity-counts.ts';

const ModelMap = lazy(async () => ({ default: (await import('./model-map.tsx')).ModelMap }));
const ModelFocus = lazy(async () => ({ default: (await import('./model-focus.tsx')).ModelFocus }));
const SideCard = lazy(async () => ({ default: memo((await import('./side-card.tsx')).SideCard) }));

const path = '/builder/data-model';

/** All blueprints: as a map, around one of them, and as a list with everything that can be done. */
export function Screen() {
  const mayCreate = useMay('createBlueprint');
  const reading = useRead('listBlueprints');
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Stack gap="md">
      <PageHeader
        title={t('Data model')}
        description={t('What the catalog is made of: blueprints, their properties and how they relate.')}
        actions={
          <Needs permit={mayCreate} to={t('create blueprints')}>
            <Button leftSection={<Plus size={16} />} onClick={open}>
              {t('New blueprint')}
            </Button>
          </Needs>
        }
      />
      <Reading of={reading} skeleton={<TableSkeleton />}>
        {({ blueprints }) => <Blueprints all={blueprints} />}
      </Reading>
      {isOpen && <NewBlueprint onClose={close} />}
    </Stack>
  );
}

function Blueprints({ all }: { all: readonly Blueprint[] }) {
  const [asked, setView] = useUrlState(path, 'view');
  const [sought = '', setSought] = useUrlState(path, 'search');
  const [withSystem, setWithSystem] = useUrlState(path, 'system');
  const [selected, onSelect] = useUrlState(path, 'type');
  const navigate = useNavigate();
  const blueprints = useMemo(
    () =>
      all
        .filter(({ identifier }) => withSystem || !identifier.startsWith('_'))
        .toSorted((left, right) => left.title.localeCompare(right.title)),
    [all, withSystem],
  );
  const links = useMemo(() => collectLinks(blueprints), [blueprints]);
  const counts = useEntityCounts(withSystem === true);
  const lanes = useLanes(blueprints, links);
  const found = useMemo(() => {
    const word = sought.trim().toLowerCase();
    if (!word) return undefined;
    const matches = blueprints.filter(({ identifier, title }) => `${identifier} ${title}`.toLowerCase().includes(word));
    return new Set(matches.map(({ identifier }) => identifier));
  }, [blueprints, sought]);
  const view = useMemo<ModelView>(
    () => ({ blueprints, links, counts, found, selected, onSelect }),
    [blueprints, links, counts, found, selected, onSelect],
  );
  const shown = asked ?? (blueprints.length > allMax ? 'map' : 'focus');
  // the card is drawn after the map has answered the press, in slices
  const viewOfCard = useDeferredValue(view);
  const showFocus = useCallback(
    (identifier: string | undefined) =>
      void navigate({
        to: '.',
        search: (before) => ({
          ...before,
          view: 'focus',
          ...(identifier ? { focus: identifier, type: identifier } : {}),
        }),
      }),
    [navigate],
  );
  useCommands([
    { id: 'model-map', label: t('Show the data model as a map'), keys: 'm', run: () => setView('map') },
    {
      id: 'model-focus',
      label: t('Focus on one blueprint'),
      keys: 'f',
      run: () => showFocus((document.activeElement as HTMLElement | null)?.dataset['chip'] ?? selected),
    },
    { id: 'model-list', label: t('Show the data model as a list'), keys: 'l', run: () => setView('list') },
  ]);
  return (
    <>
      <Group gap="sm">
        <TextInput
          aria-label={t('Search blueprints')}
          placeholder={t('Search')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value || undefined)}
        />
        <SegmentedControl
          aria-label={t('View')}
          value={shown}
          onChange={(value) => setView(value)}
          data={[
            { value: 'map', label: t('Map') },
            { value: 'focus', label: t('Focus') },
            { value: 'list', label: t('List') },
          ]}
        />
        <Switch
          label={t('Show built-in blueprints')}
          checked={withSystem === true}
          onChange={({ currentTarget }) => setWithSystem(currentTarget.checked || undefined)}
        />
      </Group>
      <p role="status" className={found ? classes.found : 'visually-hidden'}>
        {found &&
          t('{size} of {count} blueprints match.', {
            size: found.size.toLocaleString(locale),
            count: blueprints.length.toLocaleString(locale),
          })}
      </p>
      {blueprints.length === 0 ? (
        <EmptyState title={t('There is no blueprint yet')}>
          {t('A blueprint says what something is, such as a service, and what is known of it. Begin with a new one.')}
        </EmptyState>
      ) : found?.size === 0 ? (
        <EmptyState
          title={t('No blueprint has this in its name')}
          action={<Button onClick={() => setSought(undefined)}>{t('Clear the search')}</Button>}
        >
          {t('There are {count} blueprints without it.', { count: blueprints.length })}
        </EmptyState>
      ) : shown === 'list' ? (
        <ModelList view={view} />
      ) : (
        <Suspense fallback={<div aria-busy="true" />}>
          <div className={classes.withCard}>
            {shown === 'map' ? <ModelMap view={view} lanes={lanes} /> : <ModelFocus view={view} lanes={lanes} />}
            <SideCard view={viewOfCard} onFocus={showFocus} />
          </div>
        </Suspense>
      )}
    </>
  );
}

/** Places of the map. What cannot be read only makes other lanes. */
function useLanes(blueprints: readonly Blueprint[], links: ReturnType<typeof collectLinks>) {
  const sidebar = useRead('getSidebar');
  const integrations = useRead('listIntegrations', { query: {} });
  return useMemo(
    () =>
      makeLanes(
        blueprints,
        links,
        sidebar.data?.sidebar.items ?? [],
        listSources(integrations.data?.integrations ?? []),
      ),
    [blueprints, links, sidebar.data, integrations.data],
  );
}
