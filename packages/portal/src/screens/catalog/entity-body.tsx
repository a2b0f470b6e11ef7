import { Button, Group, Skeleton, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { buildHref } from '../../frame/link-target.ts';
import { BadgeLink } from '../../frame/links.tsx';
import { useParam } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import type { Permit } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { type Field, type FieldEntity, fieldValue } from '../../parts/entities/fields.ts';
import { useListAddress } from '../../parts/entities/list-address.ts';
import type { Names } from '../../parts/entities/property-value.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { RowMenu } from '../../parts/entities/row-menu.tsx';
import { useRelationTitles } from '../../parts/entities/titles.ts';
import { useNames } from '../../parts/entities/use-names.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './entity.module.css';
import type { ReadEntity } from './entity-screen.types.ts';
import { shownFacts } from './facts.ts';
import { Gone } from './gone.tsx';
import { ActionsMenu, CopyLink, HistoryButton, JsonView, useEntityActions } from './header-actions.tsx';
import { HeaderFacts } from './header-facts.tsx';
import { Overview } from './overview.tsx';
import { totalText, useRelatedCounts } from './related-counts.ts';
import { type ShownLayout, useLayout } from './use-layout.ts';
import { WhatChanged } from './what-changed.tsx';

const Related = lazy(async () => ({ default: (await import('./related.tsx')).Related }));
const Runs = lazy(async () => ({ default: (await import('./runs.tsx')).Runs }));
const Audit = lazy(async () => ({ default: (await import('./audit.tsx')).Audit }));
const Scorecards = lazy(async () => ({ default: (await import('./scorecards.tsx')).Scorecards }));
const EditEntity = lazy(async () => ({ default: (await import('./edit-entity.tsx')).EditEntity }));
const EditLayout = lazy(async () => ({ default: (await import('./edit-layout.tsx')).EditLayout }));
const Dashboard = lazy(async () => ({ default: (await import('../../parts/widgets/dashboard.tsx')).Dashboard }));

const builtIn = [
  { value: 'overview', label: t('Overview') },
  { value: 'related', label: t('Related') },
  { value: 'runs', label: t('Runs') },
  { value: 'audit', label: t('Audit log') },
  { value: 'scorecards', label: t('Scorecards') },
] as const;

/** An entity: whose it is, whether it is well, what changed, and its tabs. */
export function EntityBody({ blueprint, read, error }: { blueprint: string; read: ReadEntity; error: Error | null }) {
  const { entity } = read;
  const identifier = entity.identifier ?? '';
  const layout = useLayout(blueprint);
  const { model } = layout;
  const actions = useEntityActions(blueprint);
  // the buttons come with the content, so that they do not push each other aside
  const shown = actions.isPending ? undefined : layout.shown;
  const tab = useParam('tab') || 'overview';
  const goTo = useTabs(blueprint, identifier);
  const navigate = useNavigate();
  const offers = useOffers(blueprint, entity.identifier);
  const listAddress = useListAddress(blueprint);
  const summary = summaryOf(entity, shown?.fields);
  return (
    <>
      {error && <Gone blueprint={blueprint} identifier={identifier} error={error} isFrozen />}
      <PageHeader
        title={entity.title || identifier}
        icon={entity.icon ?? model.data?.blueprint.icon ?? ''}
        favorite={{ kind: 'entity', blueprint, identifier }}
        above={
          <BadgeLink {...listAddress} variant="light" tt="none" style={{ cursor: 'pointer' }}>
            {layout.blueprintTitle}
          </BadgeLink>
        }
        description={
          <Group gap={6}>
            <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
            {summary && <span dir="auto">· {summary}</span>}
          </Group>
        }
        actions={
          shown && (
            <>
              <ActionsMenu blueprint={blueprint} identifier={identifier} />
              {tab !== 'edit' && (
                <Needs permit={offers.permits.edit} to={t('edit {title}', { title: entity.title || identifier })}>
                  <Button variant="default" leftSection={<Pencil size={14} />} onClick={() => goTo('edit')}>
                    {t('Edit')}
                  </Button>
                </Needs>
              )}
              <HistoryButton />
              <JsonView entity={entity} />
              <CopyLink address={buildHref(entityAddress(blueprint, identifier))} />
              <RowMenu entity={entity} blueprint={blueprint} onDeleted={() => void navigate(listAddress)} />
            </>
          )
        }
      />
      {shown ? (
        <Content
          blueprint={blueprint}
          read={read}
          shown={shown}
          layout={layout}
          goTo={goTo}
          mayEdit={offers.permits.edit}
        />
      ) : (
        <ContentSkeleton />
      )}
    </>
  );
}

type GoTo = (tab: string | null) => void;

function useTabs(blueprint: string, identifier: string): GoTo {
  const navigate = useNavigate();
  const address = entityAddress(blueprint, identifier);
  return (value) =>
    void navigate(
      value && value !== 'overview'
        ? { to: '/e/$blueprint/$entity/$tab', params: { ...address.params, tab: value } }
        : address,
    );
}

/** The places of the facts, the time line and the tabs. */
function ContentSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={66} mb={12} />
      <Skeleton className={classes.stripSkeleton ?? ''} />
      <TextSkeleton lines={8} />
    </div>
  );
}

interface ContentProps {
  readonly blueprint: string;
  readonly read: ReadEntity;
  readonly shown: ShownLayout;
  readonly layout: ReturnType<typeof useLayout>;
  readonly goTo: GoTo;
  /** Whether anything of the entity may be changed, as the server says. */
  readonly mayEdit: Permit | undefined;
}

function Content({ blueprint, read, shown, layout, goTo, mayEdit }: ContentProps) {
  const { entity } = read;
  const identifier = entity.identifier ?? '';
  const { fields } = shown;
  const tab = useParam('tab') || 'overview';
  const names = useEntityNames(entity, fields);
  const facts = useMemo(() => shownFacts(shown.pinned, entity), [shown.pinned, entity]);
  const hasScorecards = fields.some(({ source }) => source === 'scorecard');
  const tabs = [...builtIn.filter(({ value }) => value !== 'scorecards' || hasScorecards), ...shown.tabs];
  const counts = useRelatedCounts(blueprint, identifier);
  useCommands([
    ...tabs.slice(0, 9).map(({ value, label }, index) => ({
      id: `tab-${value}`,
      label: t('Show {label}', { label }),
      keys: String(index + 1),
      run: () => goTo(value),
    })),
    ...(mayEdit?.isAllowed
      ? [{ id: 'edit-entity', label: t('Edit the entity'), keys: 'e', run: () => goTo('edit') }]
      : []),
  ]);
  if (tab === 'edit') {
    return (
      <Suspense fallback={<TextSkeleton />}>
        <ReadOnly permit={mayEdit} to={t('edit {title}', { title: entity.title || identifier })}>
          <EditEntity blueprint={blueprint} read={read} fields={fields} onDone={() => goTo('overview')} />
        </ReadOnly>
      </Suspense>
    );
  }
  const { details, stored } = shown;
  const { page } = layout;
  const hasLayout = page !== undefined && details !== undefined;
  if (tab === 'layout' && hasLayout && layout.mayChange?.isAllowed) {
    return (
      <Suspense fallback={<TextSkeleton />}>
        <EditLayout
          page={page.identifier}
          widget={details}
          stored={stored}
          fields={fields}
          blueprintTitle={layout.blueprintTitle}
          facts={shown.facts}
          onDone={() => goTo('overview')}
        />
      </Suspense>
    );
  }
  return (
    <>
      <HeaderFacts facts={facts} blueprint={blueprint} entity={entity} fields={fields} names={names} />
      <WhatChanged blueprint={blueprint} identifier={identifier} />
      <Tabs value={tabs.some(({ value }) => value === tab) ? tab : 'overview'} onChange={goTo} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
              {value === 'related' && <span className={classes.tabCount}>{totalText(counts.data)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Suspense fallback={<TextSkeleton />}>
          <Tabs.Panel value="overview">
            <Overview
              blueprint={blueprint}
              entity={entity}
              fields={fields}
              groups={shown.groups}
              names={names}
              onEditLayout={hasLayout ? () => goTo('layout') : undefined}
              mayLayOut={layout.mayChange}
            />
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
          {shown.tabs.map(({ value, widgets }) => (
            <Tabs.Panel key={value} value={value}>
              {page && (
                <Dashboard
                  page={{ ...page, widgets: widgets as typeof page.widgets }}
                  entity={{ blueprint, identifier }}
                />
              )}
            </Tabs.Panel>
          ))}
        </Suspense>
      </Tabs>
    </>
  );
}

function useEntityNames(entity: FieldEntity, fields: readonly Field[]): Names {
  const relations = useMemo(() => fields.filter(({ source }) => source === 'relation'), [fields]);
  const one = useMemo(() => [entity], [entity]);
  return useNames(useRelationTitles(one, relations));
}

/** A sentence of the entity about itself. */
function summaryOf(entity: FieldEntity, fields: readonly Field[] = []): string | undefined {
  const field = fields.find(({ key, source }) => source === 'property' && /^(summary|description|about)$/i.test(key));
  const value = field && fieldValue(entity, field);
  return typeof value === 'string' && value.length <= 160 && !value.includes('\n') ? value : undefined;
}
