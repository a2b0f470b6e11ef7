import { Button, Group, Menu, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Braces, Link as LinkIcon, Pencil, Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { open } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { personHere, useSession } from '../../api/session.ts';
import { useCommands } from '../../frame/commands.tsx';
import { buildHref } from '../../frame/link-target.ts';
import { BadgeLink } from '../../frame/links.tsx';
import { rememberEntity } from '../../frame/recent.ts';
import { useParam } from '../../frame/url-state.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { TeamBadge } from '../../parts/badges.tsx';
import { useFields } from '../../parts/entities/entity-explorer.tsx';
import type { Field, FieldEntity } from '../../parts/entities/fields.ts';
import { useListAddress } from '../../parts/entities/list-address.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { ActionItems, RowMenu } from '../../parts/entities/row-menu.tsx';
import { useTeams } from '../../parts/entities/team-form.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { ReadEntity } from './entity-screen.types.ts';
import { Gone } from './gone.tsx';
import { Overview } from './overview.tsx';

const Related = lazy(async () => ({ default: (await import('./related.tsx')).Related }));
const Runs = lazy(async () => ({ default: (await import('./runs.tsx')).Runs }));
const Audit = lazy(async () => ({ default: (await import('./audit.tsx')).Audit }));
const Scorecards = lazy(async () => ({ default: (await import('./scorecards.tsx')).Scorecards }));
const EditEntity = lazy(async () => ({ default: (await import('./edit-entity.tsx')).EditEntity }));

async function readEntity(blueprint: string, identifier: string, signal: AbortSignal): Promise<ReadEntity> {
  const answer = await open('getEntity', {
    params: { blueprint_identifier: blueprint, entity_identifier: identifier },
    signal,
  });
  const { entity } = (await answer.json()) as { entity: ReadEntity['entity'] };
  return { entity, version: answer.headers.get('etag')?.replaceAll(/^(W\/)?"|"$/g, '') };
}

export function Screen() {
  const blueprint = useParam('blueprint');
  const identifier = useParam('entity');
  const read = useQuery({
    queryKey: ['getEntity', 'versioned', blueprint, identifier],
    queryFn: ({ signal }) => readEntity(blueprint, identifier, signal),
    refetchInterval: 60_000,
  });
  const title = read.data?.entity.title;
  useRemembered(blueprint, identifier, read.data ? (title ?? identifier) : undefined);
  if (read.error && read.data === undefined) {
    return (
      <Gone blueprint={blueprint} identifier={identifier} error={read.error}>
        <Reading of={read} isScreen>
          {() => null}
        </Reading>
      </Gone>
    );
  }
  return (
    <Reading of={read} isScreen>
      {(data) => <EntityBody key={`${blueprint} ${identifier}`} blueprint={blueprint} read={data} error={read.error} />}
    </Reading>
  );
}

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'related', label: 'Related' },
  { value: 'runs', label: 'Runs' },
  { value: 'audit', label: 'Audit log' },
  { value: 'scorecards', label: 'Scorecards' },
] as const;

function EntityBody({ blueprint, read, error }: { blueprint: string; read: ReadEntity; error: Error | null }) {
  const { entity } = read;
  const identifier = entity.identifier ?? '';
  const tab = useParam('tab') || 'overview';
  const navigate = useNavigate();
  const address = entityAddress(blueprint, identifier);
  const { read: model, fields } = useFields(blueprint);
  const offers = useOffers(blueprint);
  const { nameOf } = useTeams();
  const goTo = (value: string | null) =>
    void navigate(
      value && value !== 'overview'
        ? { to: '/e/$blueprint/$entity/$tab', params: { ...address.params, tab: value } }
        : address,
    );
  const hasScorecards = fields?.some(({ source }) => source === 'scorecard') ?? false;
  const shown = tabs.filter(({ value }) => value !== 'scorecards' || hasScorecards);
  useCommands([
    ...shown.map(({ value, label }, index) => ({
      id: `tab-${value}`,
      label: `Show ${label}`,
      keys: String(index + 1),
      run: () => goTo(value),
    })),
    ...(offers.update ? [{ id: 'edit-entity', label: 'Edit the entity', keys: 'e', run: () => goTo('edit') }] : []),
  ]);
  const blueprintTitle = model.data?.blueprint.title ?? blueprint;
  const listAddress = useListAddress(blueprint);
  return (
    <>
      {error && <Gone blueprint={blueprint} identifier={identifier} error={error} isFrozen />}
      <PageHeader
        title={entity.title || identifier}
        icon={entity.icon ?? model.data?.blueprint.icon ?? ''}
        above={
          <BadgeLink {...listAddress} variant="light" tt="none" style={{ cursor: 'pointer' }}>
            {blueprintTitle}
          </BadgeLink>
        }
        description={
          <Group gap={6}>
            <code>{identifier}</code>
            <CopyValue value={identifier} what="the identifier" />
            {(entity.team ?? []).map((each) => (
              <TeamBadge key={each} identifier={each} name={nameOf(each)} />
            ))}
            · updated <RelativeTime at={entity.updatedAt} />
          </Group>
        }
        actions={
          <>
            <ActionsMenu blueprint={blueprint} identifier={identifier} />
            {offers.update && tab !== 'edit' && (
              <Button variant="default" leftSection={<Pencil size={14} />} onClick={() => goTo('edit')}>
                Edit
              </Button>
            )}
            <JsonView entity={entity} />
            <CopyLink address={buildHref(address)} />
            <RowMenu entity={entity} blueprint={blueprint} onDeleted={() => void navigate(listAddress)} />
          </>
        }
      />
      {fields === undefined ? (
        <TextSkeleton />
      ) : tab === 'edit' ? (
        <Suspense fallback={<TextSkeleton />}>
          <EditEntity blueprint={blueprint} read={read} fields={fields} onDone={() => goTo('overview')} />
        </Suspense>
      ) : (
        <Tabs value={shown.some(({ value }) => value === tab) ? tab : 'overview'} onChange={goTo} keepMounted={false}>
          <Tabs.List mb="md">
            {shown.map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Panels blueprint={blueprint} read={read} fields={fields} />
        </Tabs>
      )}
    </>
  );
}

function Panels({
  blueprint,
  read: { entity },
  fields,
}: {
  blueprint: string;
  read: ReadEntity;
  fields: readonly Field[];
}) {
  const identifier = entity.identifier ?? '';
  return (
    <Suspense fallback={<TextSkeleton />}>
      <Tabs.Panel value="overview">
        <Overview blueprint={blueprint} entity={entity} fields={fields} />
      </Tabs.Panel>
      <Tabs.Panel value="related">
        <Related blueprint={blueprint} entity={entity} fields={fields} />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <Runs blueprint={blueprint} identifier={identifier} />
      </Tabs.Panel>
      <Tabs.Panel value="audit">
        <Audit blueprint={blueprint} identifier={identifier} />
      </Tabs.Panel>
      <Tabs.Panel value="scorecards">
        <Scorecards blueprint={blueprint} entity={entity} />
      </Tabs.Panel>
    </Suspense>
  );
}

function ActionsMenu({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const { data } = useRead('listActions', {
    query: {
      blueprint_identifier: blueprint,
      trigger_type: 'self-service',
      operation: ['DAY-2', 'DELETE'],
      published: 'true',
    },
  });
  const [isOpen, setOpen] = useState(false);
  useCommands([{ id: 'entity-actions', label: 'Run an action on the entity', keys: '.', run: () => setOpen(true) }]);
  if (!data || data.actions.length === 0) return null;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal shadow="md" width={260}>
      <Menu.Target>
        <Button leftSection={<Play size={14} />}>Actions</Button>
      </Menu.Target>
      <Menu.Dropdown>{isOpen && <ActionItems blueprint={blueprint} entity={identifier} />}</Menu.Dropdown>
    </Menu>
  );
}

function CopyLink({ address }: { address: string }) {
  const toast = useToast();
  return (
    <Button
      variant="default"
      leftSection={<LinkIcon size={14} />}
      onClick={() =>
        void navigator.clipboard.writeText(location.origin + address).then(() => toast('The link was copied'))
      }
    >
      Copy link
    </Button>
  );
}

function JsonView({ entity }: { entity: FieldEntity }) {
  const [isOpen, setOpen] = useState(false);
  const text = JSON.stringify(entity, null, 2);
  return (
    <>
      <Button variant="default" leftSection={<Braces size={14} />} onClick={() => setOpen(true)}>
        JSON
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} size="xl" title="The entity as JSON">
        <Group mb="xs">
          <CopyValue value={text} what="the JSON" />
        </Group>
        <CodeEditor language="json" label="The entity as JSON" value={text} maxHeight={560} />
      </Dialog>
    </>
  );
}

/** Adds the entity to the recent ones. */
function useRemembered(blueprint: string, identifier: string, title: string | undefined): void {
  const session = useSession();
  const person = personHere(session);
  useEffect(() => {
    if (title !== undefined) rememberEntity(person, { blueprint, identifier, title });
  }, [person, blueprint, identifier, title]);
}
