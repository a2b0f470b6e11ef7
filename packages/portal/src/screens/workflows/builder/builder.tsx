import { ActionIcon, Button, Stack, TextInput } from '@mantine/core';
import { FlaskConical, Plus, Redo2, Search, Undo2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../../frame/commands.tsx';
import { useOpenUrlState } from '../../../frame/url-state.ts';
import { SaveBar } from '../../../kit/save-bar.tsx';
import { SegmentedControl } from '../../../kit/segmented-control.tsx';
import { TextSkeleton } from '../../../kit/states.tsx';
import { plural, t } from '../../../kit/translate.ts';
import { NeedsOperation } from '../../../parts/access/needs.tsx';
import { Refused } from '../../../parts/definition/definition-text.tsx';
import { type BodyWay, bodyAt, faultsIn, withBody } from '../document/bodies.ts';
import { type Definition, isTrigger } from '../document/definition.ts';
import { type Fault, ownFaults } from '../document/faults.ts';
import { AddDialog, MoveDialog } from './dialogs.tsx';
import { FaultList } from './fault-list.tsx';
import { ListView } from './list-view.tsx';
import { NodePanel } from './node-panel.tsx';
import { Trail } from './trail.tsx';
import { useBuilder } from './use-builder.ts';
import { refusedFaults, useFaults } from './use-faults.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { WorkflowPanel } from './workflow-panel.tsx';
import classes from './workflows.module.css';

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }));
const TestDialog = lazy(async () => ({ default: (await import('./test-dialog.tsx')).TestDialog }));
const JsonView = lazy(async () => ({ default: (await import('./json-view.tsx')).JsonView }));

type View = 'list' | 'canvas' | 'json';

/** A workflow as list, canvas and JSON: three views of one document, which is saved as a whole. */
export function WorkflowBuilder({
  definition,
  isNew = false,
  isBusy,
  error,
  onSave,
  onReset,
}: {
  definition: WorkflowDraft;
  isNew?: boolean;
  isBusy: boolean;
  error: Error | null | undefined;
  onSave: (draft: Definition) => void;
  onReset: () => void;
}) {
  const { draft, isDirty } = definition;
  const [view = 'list', setView] = useOpenUrlState<View>('view');
  const [linked] = useOpenUrlState<string>('node');
  const [selected, setSelected] = useState<string | undefined>(linked);
  const panel = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const found = useFaults(draft, isDirty || isNew);
  const faults = found.length > 0 ? found : refusedFaults(error);
  const [opened, setOpened] = useState<BodyWay>([]);
  // an undone step takes its body along
  const inside = bodyAt(draft, opened) ? opened : [];
  const shown = useMemo(() => insideOf(definition, inside), [definition, inside]);
  const shownFaults = useMemo(() => faultsIn(draft, inside, faults), [draft, inside, faults]);
  const builder = useBuilder(shown, shownFaults, [selected, setSelected]);
  const open = (way: BodyWay, step?: string) => {
    setOpened(way);
    setSelected(step ?? bodyAt(draft, way)?.nodes[0]?.identifier);
  };
  const [wantsForm, setWantsForm] = useState(0);
  const [isTesting, setTesting] = useState(false);
  const { node } = builder;
  useEffect(() => {
    if (wantsForm > 0) panel.current?.querySelector<HTMLElement>('[data-first-field]')?.focus();
  }, [wantsForm]);

  const problem = definition.problem ?? (draft.identifier === '' ? t('Enter an identifier.') : undefined);
  const save = () => {
    if ((isDirty || isNew) && !isBusy && problem === undefined) onSave(draft);
  };
  const show = (next: View) => {
    if (definition.textProblem === undefined) setView(next === 'list' ? undefined : next);
  };
  const inGraph = view !== 'json';
  // on the way there by keys, the list would select a step
  const openSettings = () => {
    builder.select(undefined);
    setWantsForm((count) => count + 1);
  };
  useCommands([
    { id: 'workflow.save', label: t('Save the workflow'), keys: 'mod+s', run: save },
    { id: 'workflow.undo', label: t('Undo'), keys: 'mod+z', run: definition.undo },
    { id: 'workflow.redo', label: t('Redo'), keys: 'mod+shift+z', run: definition.redo },
    { id: 'workflow.json', label: t('List or JSON'), keys: 'mod+.', run: () => show(inGraph ? 'json' : 'list') },
    ...(inGraph
      ? [
          { id: 'workflow.test', label: t('Test with a sample'), keys: 't', run: () => setTesting(true) },
          { id: 'workflow.find', label: t('Find a step'), keys: '/', run: () => search.current?.focus() },
          { id: 'workflow.add', label: t('Add a step after'), keys: 'a', run: () => builder.askToAdd() },
          { id: 'workflow.branch', label: t('Add a branch'), keys: 'b', run: () => builder.branch() },
          { id: 'workflow.move', label: t('Lead elsewhere'), keys: 'm', run: () => builder.askToMove() },
          { id: 'workflow.remove', label: t('Remove the step'), keys: 'delete', run: () => builder.remove() },
          { id: 'workflow.up', label: t('Move the branch up'), keys: 'alt+arrowup', run: () => builder.reorder(-1) },
          {
            id: 'workflow.down',
            label: t('Move the branch down'),
            keys: 'alt+arrowdown',
            run: () => builder.reorder(1),
          },
        ]
      : []),
  ]);
  const goToFault = ({ path }: Fault) => {
    const [, list, place] = path.split('/');
    const index = Number(place);
    const { nodes, connections } = shown.draft;
    const name = list === 'nodes' ? nodes[index]?.identifier : connections[index]?.sourceIdentifier;
    if (name) builder.goTo({ node: name });
    else builder.select(undefined);
  };
  const hardFaults = faults.filter(({ isWarning }) => !isWarning);
  return (
    <Stack gap="md">
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('Workflow as')}
          value={view}
          disabled={definition.textProblem !== undefined}
          onChange={(next) => show(next)}
          data={[
            { value: 'list', label: t('List') },
            { value: 'canvas', label: t('Canvas') },
            { value: 'json', label: 'JSON' },
          ]}
        />
        <ActionIcon
          variant="default"
          size={32}
          aria-label={t('Undo')}
          disabled={!definition.canUndo}
          onClick={definition.undo}
        >
          <Undo2 size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={t('Redo')}
          disabled={!definition.canRedo}
          onClick={definition.redo}
        >
          <Redo2 size={16} />
        </ActionIcon>
        <NeedsOperation operation="testWorkflow" to={t('test it')}>
          <Button size="xs" variant="default" leftSection={<FlaskConical size={14} />} onClick={() => setTesting(true)}>
            {t('Test')}
          </Button>
        </NeedsOperation>
        {inGraph && (
          <>
            <Button size="xs" leftSection={<Plus size={14} />} disabled={!node} onClick={() => builder.askToAdd()}>
              {t('Step')}
            </Button>
            {(inside.length === 0 || !shown.draft.nodes.some(isTrigger)) && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Plus size={14} />}
                onClick={() => builder.ask({ what: 'trigger' })}
              >
                {t('Trigger')}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={openSettings} aria-pressed={!node}>
              {t('Settings')}
            </Button>
            <Find definition={shown.draft} field={search} onFind={(name) => builder.goTo({ node: name })} />
          </>
        )}
      </div>
      <Refused error={error} />
      <p role="status" className="visually-hidden">
        {hardFaults.length === 0 ? '' : plural(hardFaults.length, '{count} fault', '{count} faults')}
      </p>
      {view === 'json' ? (
        <Suspense fallback={<TextSkeleton lines={12} />}>
          <JsonView definition={definition} faults={faults} />
        </Suspense>
      ) : (
        <div className={classes.builder}>
          <div>
            <Trail draft={draft} inside={inside} onOpen={open} />
            {view === 'list' ? (
              <ListView draft={shown.draft} builder={builder} onEdit={() => setWantsForm((count) => count + 1)} />
            ) : (
              <Suspense fallback={<TextSkeleton lines={12} />}>
                <Canvas
                  label={t('Workflow as a picture')}
                  definition={shown.draft}
                  selected={node?.identifier}
                  onSelect={(name) => builder.select({ node: name })}
                  onOpen={() => setWantsForm((count) => count + 1)}
                  stateAt={({ identifier }) => {
                    const here = builder.faultsAt(identifier);
                    if (here.length === 0) return {};
                    const look = here.every(({ isWarning }) => isWarning) ? 'warning' : 'wrong';
                    return { look, count: here.length, said: plural(here.length, 'fault', 'faults') };
                  }}
                />
              </Suspense>
            )}
            {shownFaults.length > 0 && !node && ownFaults(shownFaults).length < shownFaults.length && (
              <FaultList faults={shownFaults} onGo={goToFault} />
            )}
          </div>
          <section
            ref={panel}
            className={classes.panel}
            aria-label={node ? t('Form of the step') : t('Settings of the workflow')}
          >
            {node ? (
              <NodePanel
                key={`${[...inside, node.identifier].join(' ')} ${definition.round}`}
                node={node}
                definition={shown}
                inside={inside}
                onOpen={open}
                builder={builder}
                panel={panel}
              />
            ) : (
              <WorkflowPanel key={definition.round} definition={definition} faults={faults} isNew={isNew} />
            )}
          </section>
        </div>
      )}
      {(builder.asked?.what === 'add' || builder.asked?.what === 'trigger') && (
        <AddDialog
          what={builder.asked.what}
          isInside={inside.length > 0}
          onAdd={builder.add}
          onClose={() => builder.ask(undefined)}
        />
      )}
      {builder.asked?.what === 'move' && (
        <MoveDialog
          draft={shown.draft}
          at={builder.asked.at}
          onClose={() => builder.ask(undefined)}
          onMove={(next) => {
            shown.change(next);
            builder.ask(undefined);
          }}
        />
      )}
      {isTesting && (
        <Suspense fallback={null}>
          <TestDialog draft={draft} onClose={() => setTesting(false)} />
        </Suspense>
      )}
      <SaveBar
        isDirty={isDirty || isNew}
        problem={problem}
        isBusy={isBusy}
        onSave={save}
        onDiscard={() => {
          definition.discard();
          onReset();
        }}
      />
    </Stack>
  );
}

/** The same document, of which the steps at a way are shown and changed. */
function insideOf(definition: WorkflowDraft, way: BodyWay): WorkflowDraft {
  const draft = bodyAt(definition.draft, way);
  if (way.length === 0 || !draft) return definition;
  return {
    ...definition,
    draft,
    change: (next, field) =>
      definition.change(withBody(definition.draft, way, next), field && [...way, field].join(' ')),
    tell: (field, said) => definition.tell([...way, field].join(' '), said),
  };
}

/** Finds a step by its name; Enter goes on to the next. */
function Find({
  definition,
  field,
  onFind,
}: {
  definition: Definition;
  field: React.RefObject<HTMLInputElement | null>;
  onFind: (node: string) => void;
}) {
  const [term, setTerm] = useState('');
  const [count, setCount] = useState(0);
  const words = term.trim().toLowerCase();
  const met = definition.nodes.filter(
    ({ identifier, title }) => words !== '' && `${identifier} ${title ?? ''}`.toLowerCase().includes(words),
  );
  return (
    <TextInput
      ref={field}
      size="xs"
      aria-label={t('Find a step')}
      placeholder={t('Find a step')}
      leftSection={<Search size={14} aria-hidden="true" />}
      value={term}
      onChange={({ currentTarget }) => {
        setTerm(currentTarget.value);
        setCount(0);
      }}
      onKeyDown={(event) => {
        const next = met[count % Math.max(1, met.length)];
        if (event.key !== 'Enter' || !next) return;
        // the line that gets the focus must not be pressed by the same key
        event.preventDefault();
        setCount(count + 1);
        onFind(next.identifier);
      }}
    />
  );
}
