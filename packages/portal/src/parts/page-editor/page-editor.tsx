import { Stack } from '@mantine/core';
import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useCommands } from '../../frame/commands.tsx';
import { EmptyState, ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { Board } from '../widgets/board.tsx';
import { type Widget, type WidgetContext, widgetBlueprint, widgetList } from '../widgets/widget-shape.ts';
import { ArrangeProvider } from './arrange.tsx';
import { ConflictView } from './conflict.tsx';
import { DraftBar } from './draft-bar.tsx';
import { DraftFilters } from './draft-filters.tsx';
import { EditorTools } from './editor-tools.tsx';
import { InnerEditor, ListEditor } from './inner-editor.tsx';
import { type Draft, nameWidgets, type Page, useDraft } from './page-draft.ts';
import classes from './page-editor.module.css';
import { PageFilters } from './page-filters.tsx';
import { PageJson } from './page-json.tsx';
import { PageRights } from './page-rights.tsx';
import { PageSettings } from './page-settings.tsx';
import { SidePanel } from './side-panel.tsx';
import { useSave } from './use-save.ts';
import { useSide } from './use-side.ts';
import { WidgetGallery } from './widget-gallery.tsx';
import { WidgetPanel } from './widget-panel.tsx';

interface PageEditorProps {
  readonly page: Page;
  /** Where the tools of the editor go: the header of the page. */
  readonly tools: HTMLElement | null;
  /** What is open beside the page; the address holds it. */
  readonly part: string;
  readonly onPart: (part: string) => void;
  readonly onDone: () => void;
  /** After a save under another identifier. */
  readonly onRenamed: (identifier: string) => void;
}

/** What is open beside the page. */
interface Beside {
  readonly key: string;
  readonly title: string;
  readonly onClose?: () => void;
  readonly body: ReactNode;
}

/** Edits a page in its place, as a draft until it is saved or discarded. */
export function PageEditor({ page: given, tools, part, onPart, onDone, onRenamed }: PageEditorProps) {
  // a refetch must not change what the user is arranging
  const [page] = useState(given);
  const { base, draft, change, undo, lastStep, restart, rebase, isDirty } = useDraft(page);
  const [brokenText, setBrokenText] = useState<string>();
  const save = useSave(page.identifier);
  const moved = useRef<string>(undefined);
  const hasLeft = useRef(false);
  const isAtStake = () => (isDirty || brokenText !== undefined) && !hasLeft.current;
  useLeaveGuard(isAtStake, page.title ?? page.identifier, ({ edit }) => edit !== undefined);
  const widgets = (draft.widgets ?? []) as readonly Widget[];
  const onWidgets = (next: readonly Widget[], label: string) =>
    change({ ...draft, widgets: next as Draft['widgets'] }, label);
  const side = useSide(widgets, onWidgets);
  const leave = () => {
    hasLeft.current = true;
    onDone();
  };
  const saveNow = async () => {
    if (!isDirty || brokenText !== undefined || save.isBusy || !side.settle()) return;
    const saved = await save.run(draft, base.version);
    if (!saved) return;
    restart(saved);
    if (saved.identifier === page.identifier) return;
    hasLeft.current = true;
    onRenamed(saved.identifier);
  };
  useCommands([
    { id: 'page.save', label: t('Save the page'), keys: 'mod+s', run: () => void saveNow() },
    { id: 'page.undo', label: t('Undo the last change'), keys: 'mod+z', run: undo },
  ]);
  const context = useMemo(() => toContext(page.identifier, draft), [page.identifier, draft]);
  /** Opens a part of the page beside it, or closes it; what cannot be read as JSON has to be mended first. */
  const showPart = (next: string) => {
    if (brokenText === undefined && side.settle()) onPart(next);
  };
  const arrange = {
    context,
    moved,
    edited: side.form?.id,
    edit: (widget: Widget) => {
      if (brokenText !== undefined) return;
      side.edit(widget);
      onPart('widgets');
    },
    add: (place: Parameters<typeof side.add>[0]) => {
      if (brokenText !== undefined) return;
      side.add(place);
      onPart('widgets');
    },
    arrangeInside: (inner: Widget, onChange: (next: Widget, label: string) => void) => (
      <InnerEditor widget={inner} onChange={onChange} />
    ),
  };
  const isPrivate = page.visibility === 'private';
  const openPart = side.gallery || side.form || (part === 'rights' && isPrivate) ? 'widgets' : part;
  const closePart = () => showPart('widgets');
  const readBeside = (): Beside | undefined => {
    if (side.gallery) {
      const gallery = (
        <WidgetGallery
          isHome={page.type === 'home'}
          about={blueprintIn(widgets)}
          onAdd={side.addReady}
          onChoose={({ type, begins }) => side.choose(type, begins)}
        />
      );
      return { key: 'gallery', title: t('Add a widget'), onClose: side.settle, body: gallery };
    }
    if (side.form) {
      const { id, name, original } = side.form;
      const title = original ? t('Edit {name}', { name }) : t('New: {name}', { name });
      return { key: id, title, body: <WidgetPanel side={side} form={side.form} /> };
    }
    switch (openPart) {
      case 'page':
        return {
          key: 'page',
          title: t('Page settings'),
          onClose: closePart,
          body: (
            <Stack gap="md">
              <PageSettings draft={draft} isPrivate={isPrivate} onChange={change} />
              <Filters page={page} draft={draft} onChange={change} />
            </Stack>
          ),
        };
      case 'rights':
        return {
          key: 'rights',
          title: t('Permissions'),
          onClose: closePart,
          body: <PageRights page={page.identifier} />,
        };
      case 'json': {
        const write = (next: Draft) => change(nameWidgets(next), t('Change the JSON'));
        const json = <PageJson draft={draft} onChange={write} onBroken={setBrokenText} />;
        return { key: 'json', title: t('Page as JSON'), onClose: closePart, body: json };
      }
      default:
        return undefined;
    }
  };
  const beside = readBeside();
  return (
    <ArrangeProvider value={arrange}>
      {tools &&
        createPortal(
          <EditorTools
            part={openPart}
            isPrivate={isPrivate}
            isAdding={side.gallery !== undefined}
            onPart={showPart}
            onAdd={() => arrange.add('page')}
          />,
          tools,
        )}
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
      {save.error !== undefined && <ErrorState error={save.error} what={t('The page was not saved')} />}
      <div className={classes.sides} data-open={beside !== undefined || undefined}>
        <div className={classes.draft}>
          <div inert={brokenText !== undefined} className={classes.board}>
            {page.type !== 'blueprint-entities' && (
              <DraftFilters filters={(draft.pageFilters ?? []) as readonly Widget[]} onEdit={() => showPart('page')} />
            )}
            <ListEditor widgets={widgets} onChange={onWidgets} />
            {!holdsAny(widgets) && (
              <EmptyState title={t('This page has no widgets yet')}>{t('Add a widget to begin.')}</EmptyState>
            )}
          </div>
          <DraftBar
            isDirty={isDirty}
            problem={brokenText}
            lastStep={lastStep}
            isBusy={save.isBusy}
            onUndo={undo}
            onLeave={leave}
            onSave={() => void saveNow()}
          />
        </div>
        {beside && (
          <SidePanel title={beside.title} onClose={beside.onClose} focusOn={beside.key}>
            <Fragment key={beside.key}>{beside.body}</Fragment>
          </SidePanel>
        )}
      </div>
    </ArrangeProvider>
  );
}

function Filters({
  page,
  draft,
  onChange,
}: {
  page: Page;
  draft: Draft;
  onChange: (draft: Draft, label: string) => void;
}) {
  const filters = (draft.pageFilters ?? []) as readonly Widget[];
  // a page with a single table has its filters in the table
  if (page.type === 'blueprint-entities' && filters.length === 0) return null;
  const write = (next: readonly Widget[]) => onChange(withFilters(draft, next), t('Change the filters'));
  return <PageFilters filters={filters} onChange={write} />;
}

function holdsAny(widgets: readonly Widget[]): boolean {
  return widgets.some((each) => each['type'] !== 'dashboard-widget' || widgetList(each, 'widgets').length > 0);
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
