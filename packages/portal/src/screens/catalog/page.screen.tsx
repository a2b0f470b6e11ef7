import { Button, Group } from '@mantine/core';
import { History, Plus } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { type AnswerOf, call, errorStatus } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { useCommands } from '../../frame/commands.tsx';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { Markdown } from '../../kit/markdown.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { EntityExplorer } from '../../parts/entities/entity-explorer.tsx';
import type { Field } from '../../parts/entities/fields.ts';
import type { Query } from '../../parts/entities/operators.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import type { View } from '../../parts/entities/view.ts';
import { configOfView } from '../../parts/entities/view-state.ts';
import { ViewsMenu } from '../../parts/entities/views-menu.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EditPageButton } from '../../parts/pages/edit-page-button.tsx';
import { EditablePage } from '../../parts/pages/editable-page.tsx';
import { useMayChangePage } from '../../parts/pages/may-change.ts';
import { usePageEditing } from '../../parts/pages/use-page-editing.ts';

const PastTable = lazy(async () => ({ default: (await import('../../parts/past/past-table.tsx')).PastTable }));
const Dashboard = lazy(async () => ({ default: (await import('../../parts/widgets/dashboard.tsx')).Dashboard }));

type Page = AnswerOf<'getPage'>['page'];
interface TableWidget {
  readonly id?: string;
  readonly type?: string;
  readonly blueprint?: string;
  readonly dataset?: Query;
  readonly blueprintConfig?: Readonly<Record<string, unknown>>;
}

/** A page of the catalog: one table of a blueprint's entities, or a dashboard. */
export function Screen() {
  const identifier = useParam('page');
  const read = useRead('getPage', { params: { page_identifier: identifier } });
  return (
    <Reading of={read} isScreen skeleton={<TableSkeleton />}>
      {({ page }) => <PageBody key={page.identifier} page={page} />}
    </Reading>
  );
}

function PageBody({ page }: { page: Page }) {
  const { title, identifier, icon, description, blueprint, type } = page;
  const isTable = blueprint !== undefined && type === 'blueprint-entities';
  const editing = usePageEditing();
  return (
    <>
      <PageHeader
        title={title ?? identifier}
        icon={icon ?? ''}
        favorite={{ kind: 'page', identifier }}
        description={description ? <Markdown text={description} /> : undefined}
        actions={
          <>
            <EditPageButton page={page} name={title ?? identifier} editing={editing} />
            {isTable && <AsOfLink page={identifier} />}
            {isTable && <NewEntity blueprint={blueprint} />}
          </>
        }
      />
      <EditablePage page={page} editing={editing}>
        {isTable ? (
          <TablePage page={page} blueprint={blueprint} />
        ) : (
          <Suspense fallback={<TableSkeleton />}>
            <Dashboard page={page} />
          </Suspense>
        )}
      </EditablePage>
    </>
  );
}

/** Leads to the table of now as one of a moment, where another can be chosen. */
function AsOfLink({ page }: { page: string }) {
  const [asOf, setAsOf] = useUrlState('/catalog/$page', 'as_of');
  if (asOf !== undefined) return null;
  return (
    <Button
      key={page}
      variant="default"
      leftSection={<History size={14} />}
      onClick={() => setAsOf(new Date().toISOString(), { isStep: true })}
    >
      {t('As of')}
    </Button>
  );
}

function NewEntity({ blueprint }: { blueprint: string }) {
  const { permits } = useOffers(blueprint);
  const read = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  const name = read.data?.blueprint.title.toLowerCase() ?? 'entity';
  return (
    <Needs permit={permits.register} to={t('create a {name}', { name })}>
      <ButtonLink to="/new/$blueprint" params={{ blueprint }} leftSection={<Plus size={16} />}>
        {t('New {name}', { name })}
      </ButtonLink>
    </Needs>
  );
}

function TablePage({ page, blueprint }: { page: Page; blueprint: string }) {
  const widget = (page.widgets ?? []).find((each) => each['type'] === 'table-entities-explorer') as
    | TableWidget
    | undefined;
  const { permits } = useOffers(blueprint);
  const session = useSession();
  const mayChange = useMayChangePage(page);
  const save = useSaveForAll(page, blueprint, widget);
  const dataset = useMemo(() => widget?.dataset && withoutBlueprint(widget.dataset), [widget]);
  const [asOf, setAsOf] = useUrlState('/catalog/$page', 'as_of');
  const goTo = (at: string | undefined) => setAsOf(at, { isStep: true });
  useCommands([
    { id: 'as-of', label: t('Show the entities as they were'), run: () => goTo(asOf ?? new Date().toISOString()) },
  ]);
  if (asOf !== undefined) {
    const label = page.title ?? page.identifier;
    return (
      <Suspense fallback={<TableSkeleton />}>
        <PastTable blueprint={blueprint} label={label} at={asOf} dataset={dataset} onGo={goTo} />
      </Suspense>
    );
  }
  return (
    <EntityExplorer
      blueprint={blueprint}
      label={page.title ?? page.identifier}
      dataset={dataset}
      isDatasetShown
      config={widget?.blueprintConfig?.[blueprint]}
      actions={({ view, fields, apply, isChanged, reset }) => (
        <ViewsMenu
          page={page.identifier}
          view={view}
          isChanged={isChanged}
          onApply={apply}
          onSaveForAll={widget?.id ? () => save(widget.id ?? '', view, fields, reset) : undefined}
          mayChange={mayChange}
        />
      )}
      empty={
        <EmptyState
          title={t('There is no entity yet')}
          action={
            <Group gap="xs">
              <Needs permit={permits.register} to={t('create the first one')}>
                <ButtonLink to="/new/$blueprint" params={{ blueprint }} variant="default">
                  {t('Create the first')}
                </ButtonLink>
              </Needs>
              {isAdmin(session) && (
                <ButtonLink to="/builder/sources/add" variant="default">
                  {t('Add a source')}
                </ButtonLink>
              )}
            </Group>
          }
        >
          {t('Connect a source that keeps them up to date, write them over the API, or create one here.')}
        </EmptyState>
      }
    />
  );
}

/** Drops the rule that names the blueprint: the table already searches within it. */
function withoutBlueprint({ combinator, rules }: Query): Query {
  if (combinator !== 'and' || !Array.isArray(rules)) return { combinator, rules };
  return {
    combinator,
    rules: rules.filter((rule) => !('property' in rule && rule.property === '$blueprint' && rule['operator'] === '=')),
  };
}

function useSaveForAll(page: Page, blueprint: string, widget: TableWidget | undefined) {
  const toast = useToast();
  const refresh = useRefresh();
  return async (id: string, view: View, fields: readonly Field[], reset: () => void) => {
    try {
      await call('patchWidget', {
        params: { page_identifier: page.identifier, widget_id: id },
        body: {
          blueprintConfig: {
            ...widget?.blueprintConfig,
            [blueprint]: {
              ...(widget?.blueprintConfig?.[blueprint] as object | undefined),
              ...configOfView(view, fields),
            },
          },
        },
      });
      await refresh(['getPage']);
      reset();
      toast(t('The view was saved for everybody'));
    } catch (error) {
      const text =
        errorStatus(error) === 403
          ? t('Only those who may change this page save a view for everybody. Keep it as yours, or share the address.')
          : (error as Error).message;
      toast({ text, kind: 'failure' });
    }
  };
}
