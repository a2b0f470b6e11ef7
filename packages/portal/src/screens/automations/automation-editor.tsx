import { Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { readIssues } from '../../kit/refusal.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { type StoredAction, toWritten } from '../../parts/actions/stored-action.ts';
import { unreadableBackend, useUnreadable } from '../../parts/actions/use-unreadable.ts';
import { ConflictView } from '../../parts/definition/conflict.tsx';
import { DefinitionText, Refused, Unreadable } from '../../parts/definition/definition-text.tsx';
import { useDefinition } from '../../parts/definition/use-definition.ts';
import { type Draft, missingIn, readDraft } from './automation-draft.ts';
import { AutomationForm } from './automation-form.tsx';

/** An automation as a form or as JSON, kept in step; saved as a whole. */
export function AutomationEditor({
  base,
  isNew = false,
  isBusy,
  error,
  conflict,
  onSave,
  onReset,
  onRebase,
  onDirty,
}: {
  /** The stored automation, or the initial values of a new one. */
  base: Draft;
  isNew?: boolean;
  isBusy: boolean;
  error: Error | null | undefined;
  /** The version that someone else saved in the meantime. */
  conflict?: StoredAction | undefined;
  onSave: (draft: Draft) => void;
  onReset: () => void;
  onRebase?: () => void;
  /** Called with whether there are unsaved changes. */
  onDirty?: (isDirty: boolean) => void;
}) {
  const [view = 'form', setView] = useUrlState('/builder/automations/$automation', 'view');
  const definition = useDefinition(base, readDraft);
  const { draft, isDirty } = definition;
  const unreadable = useUnreadable(draft.invocationMethod, unreadableBackend);
  useLeaveGuard(isDirty && !isBusy, draft.title || draft.identifier || 'the automation');
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const problem = definition.problem ?? missingIn(draft);
  const save = () => {
    if (isDirty && !isBusy && problem === undefined) onSave(draft);
  };
  const show = (next: 'form' | 'json') => {
    if (definition.settle()) setView(next === 'form' ? undefined : next);
  };
  useCommands([
    { id: 'automation.save', label: t('Save the automation'), keys: 'mod+s', run: save },
    {
      id: 'automation.json',
      label: t('Form or JSON'),
      keys: 'mod+.',
      run: () => show(view === 'form' ? 'json' : 'form'),
    },
  ]);
  return (
    <Stack gap="md">
      {conflict && (
        <ConflictView
          base={base}
          mine={draft}
          theirs={toWritten(conflict)}
          saved={conflict}
          onKeepMine={() => onRebase?.()}
          onTakeTheirs={() => {
            definition.begin(toWritten(conflict));
            onRebase?.();
          }}
        />
      )}
      <SegmentedControl
        aria-label={t('Automation as')}
        value={view}
        disabled={definition.textProblem !== undefined}
        onChange={(next) => show(next as 'form' | 'json')}
        data={[
          { value: 'form', label: t('Form') },
          { value: 'json', label: 'JSON' },
        ]}
      />
      <Refused error={error} />
      {view === 'form' ? (
        <AutomationForm
          key={definition.round}
          isNew={isNew}
          draft={draft}
          onChange={definition.change}
          issues={[...readIssues(error), ...unreadable]}
          onProblem={definition.tell}
        />
      ) : (
        <DefinitionText definition={definition} label={t('Automation as JSON')} />
      )}
      <Unreadable issues={unreadable} />
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
