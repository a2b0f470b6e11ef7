import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { call, errorCode, type InputOf } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import type { LinkTarget } from '../../frame/link-target.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { Board } from '../../parts/widgets/board.tsx';
import { type Widget, type WidgetContext, widgetBlueprint, widgetList } from '../../parts/widgets/widget-shape.ts';
import { ArrangeProvider, type Change } from './arrange.tsx';
import { ConflictView } from './conflict.tsx';
import { InnerEditor, ListEditor } from './inner-editor.tsx';
import { type Draft, type Page, useDraft } from './page-draft.ts';
import { PageFilters } from './page-filters.tsx';
import { PageJson } from './page-json.tsx';
import { PageRights } from './page-rights.tsx';
import { PageSettings } from './page-settings.tsx';
import classes from './pages.module.css';
import { WidgetDialog } from './widget-dialog.tsx';

interface OpenDialog {
  /** Distinguishes openings, so that each gets a fresh dialog. */
  readonly time: number;
  readonly widget: Widget | undefined;
  readonly onDone: (widgets: readonly Widget[]) => void;
}

/** Edits a page as a draft until it is saved or discarded. */
export function PageEditor({ page, address }: { page: Page; address: LinkTarget }) {
  const { base, draft, change, undo, lastStep, restart, rebase, isDirty } = useDraft(page);
  const [tab = 'widgets', setTab] = useUrlState('/catalog/$page/edit', 'tab');
  const [asked, setAsked] = useState<OpenDialog>();
  const [isAsking, setAsking] = useState(false);
  const [brokenText, setBrokenText] = useState<string>();
  const save = useSave(page.identifier);
  const navigate = useNavigate();
  const moved = useRef<string>(undefined);
  const hasLeft = useRef(false);
  useLeaveGuard(() => (isDirty || brokenText !== undefined) && !hasLeft.current, page.title ?? page.identifier);
  const saveNow = async () => {
    if (!isDirty || brokenText !== undefined || save.isBusy) return;
    const saved = await save.run(draft, base.version);
    if (!saved) return;
    restart(saved);
    if (saved.identifier === page.identifier) return;
    hasLeft.current = true;
    void navigate({ to: '/catalog/$page/edit', params: { page: saved.identifier }, replace: true });
  };
  useCommands([
    { id: 'page.save', label: 'Save the page', keys: 'mod+s', run: () => void saveNow() },
    { id: 'page.undo', label: 'Undo the last change', keys: 'mod+z', run: undo },
  ]);
  const arrange = useMemo(
    () => ({
      context: toContext(page.identifier, draft),
      isHome: page.type === 'home',
      moved,
      arrangeInside: (inner: Widget, onChange: Change) => <InnerEditor widget={inner} onChange={onChange} />,
      ask: (widget: Widget | undefined, onDone: (widgets: readonly Widget[]) => void) => {
        setAsked((before) => ({ time: (before?.time ?? 0) + 1, widget, onDone }));
        setAsking(true);
      },
    }),
    [page.identifier, page.type, draft],
  );
  const widgets = (draft.widgets ?? []) as readonly Widget[];
  const filters = (draft.pageFilters ?? []) as readonly Widget[];
  // a page with a single table has its filters in the table
  const hasFilters = page.type !== 'blueprint-entities' || filters.length > 0;
  return (
    <ArrangeProvider value={arrange}>
      {save.conflict && (
        <ConflictView
          base={base.draft}
          mine={draft}
          theirs={save.conflict}
          onKeepMine={() => {
            if (save.conflict) rebase(save.conflict);
            save.settle();
          }}
          onTakeTheirs={() => {
            if (save.conflict) restart(save.conflict);
            save.settle();
          }}
        />
      )}
      {save.error !== undefined && <ErrorState error={save.error} what="The page was not saved" />}
      <Tabs
        value={tab}
        onChange={(next) => setTab(next === 'widgets' ? undefined : (next ?? undefined))}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="widgets">Widgets</Tabs.Tab>
          <Tabs.Tab value="page">Page</Tabs.Tab>
          {page.visibility !== 'private' && <Tabs.Tab value="rights">Who may</Tabs.Tab>}
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="widgets">
          <ListEditor
            widgets={widgets}
            isPage
            onChange={(next, label) => change({ ...draft, widgets: next as Draft['widgets'] }, label)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="page">
          <Stack gap="md">
            <PageSettings draft={draft} isPrivate={page.visibility === 'private'} onChange={change} />
            {hasFilters && (
              <PageFilters
                filters={filters}
                onChange={(next) => change(withFilters(draft, next), 'Change the filters')}
              />
            )}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="rights">
          <PageRights page={page.identifier} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <PageJson draft={draft} onChange={(next) => change(next, 'Change the JSON')} onBroken={setBrokenText} />
        </Tabs.Panel>
      </Tabs>
      <section className={classes.bar} data-foot aria-label="Draft">
        <Text role="status">
          {brokenText ?? (isDirty ? `There are unsaved changes. ${lastStep ?? ''}` : 'Nothing is changed.')}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" leftSection={<Undo2 size={16} />} disabled={lastStep === undefined} onClick={undo}>
            Undo
          </Button>
          <Button
            variant="default"
            onClick={() => {
              hasLeft.current = true;
              void navigate(address);
            }}
          >
            {isDirty ? 'Discard' : 'Done'}
          </Button>
          <Button disabled={!isDirty || brokenText !== undefined} loading={save.isBusy} onClick={() => void saveNow()}>
            Save
          </Button>
        </Group>
      </section>
      <WidgetDialog
        key={asked?.time}
        widget={asked?.widget}
        about={blueprintIn(widgets)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDone={(done) => {
          asked?.onDone(done);
          setAsking(false);
        }}
      />
    </ArrangeProvider>
  );
}

/** The first blueprint that a widget of the page is about: the next one likely is too. */
function blueprintIn(widgets: readonly Widget[]): string | undefined {
  for (const each of widgets) {
    const found = widgetBlueprint(each) ?? blueprintIn(widgetList(each, 'widgets'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function withFilters(draft: Draft, filters: readonly Widget[]): Draft {
  const { pageFilters: _before, ...others } = draft;
  return filters.length === 0 ? others : { ...others, pageFilters: filters as NonNullable<Draft['pageFilters']> };
}

function toContext(page: string, draft: Draft): WidgetContext {
  return {
    draw: (inner, around) => <Board widget={inner} context={around} />,
    page,
    pageFilters: (draft.pageFilters ?? []) as readonly Widget[],
  };
}

/** Saves with a version check; after a conflict it fetches the other version for comparison. */
function useSave(identifier: string) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<Page>();
  const refresh = useRefresh();
  const toast = useToast();
  const params = { page_identifier: identifier };
  const run = async (draft: Draft, version: string): Promise<Page | undefined> => {
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const body = draft as unknown as NonNullable<InputOf<'replacePage'>['body']>;
      const { page } = await call('replacePage', { params, query: { expectedVersion: version }, body });
      await refresh(['getPage', 'getSidebar', 'listPages']);
      toast(`${page.title || page.identifier} was saved`);
      return page;
    } catch (caught) {
      if (errorCode(caught) !== 'stale_version') setError(caught);
      else setConflict((await call('getPage', { params })).page);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, conflict, settle: () => setConflict(undefined) };
}
