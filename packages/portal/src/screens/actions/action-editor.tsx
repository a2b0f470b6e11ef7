import { Stack, Tabs } from '@mantine/core';
import { useEffect, useState } from 'react';
import { errorCode } from '../../api/api.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { type Issue, readIssues } from '../../kit/refusal.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { type StoredAction, toWritten } from '../../parts/actions/stored-action.ts';
import { unreadableBackend, useUnreadable } from '../../parts/actions/use-unreadable.ts';
import { ConflictView } from '../../parts/definition/conflict.tsx';
import { DefinitionText, Refused, Unreadable } from '../../parts/definition/definition-text.tsx';
import { useDefinition } from '../../parts/definition/use-definition.ts';
import { type Draft, issueTab, missingIn, readDraft, type Tab, tabs } from './action-draft.ts';
import classes from './actions.module.css';
import { ApprovalTab } from './approval-tab.tsx';
import { BackendTab } from './backend-tab.tsx';
import { BasicsTab } from './basics-tab.tsx';
import { FormPreview } from './form-preview.tsx';
import { FormTab } from './form-tab.tsx';
import { type Rights, rightsChange } from './rights.ts';
import { RightsTab } from './rights-tab.tsx';
import type { Sample } from './trial.ts';

const titles: Readonly<Record<Tab, string>> = {
  basics: t('Basics'),
  form: t('Form'),
  backend: t('Backend'),
  approval: t('Approval'),
  rights: t('Who may'),
  json: 'JSON',
};

export interface SaveState {
  readonly isBusy: boolean;
  readonly error: Error | null | undefined;
  /** The version that someone else saved in the meantime. */
  readonly conflict?: StoredAction | undefined;
  readonly rebase?: () => void;
  readonly reset: () => void;
}

/** An action as tabs of a form and as JSON, kept in step; saved as a whole, with its permissions. */
export function ActionEditor({
  base,
  baseRights,
  initialRights,
  sample,
  isNew = false,
  saving,
  onSave,
  onDirty,
}: {
  /** The stored action, or the initial values of a new one. */
  base: Draft;
  baseRights: Rights;
  /** Permissions of a new action, not stored yet. */
  initialRights?: Rights | undefined;
  /** The data to try the action with; it survives saving. */
  sample: Sample;
  isNew?: boolean;
  saving: SaveState;
  onSave: (draft: Draft, rights: Partial<Rights> | undefined) => void;
  onDirty?: (isDirty: boolean) => void;
}) {
  const [shown = 'basics', setTab] = useUrlState('/builder/actions/$action', 'tab');
  const tab = tabs.includes(shown) ? shown : 'basics';
  const definition = useDefinition(base, readDraft);
  const { draft } = definition;
  const rights = useRights(baseRights, initialRights);
  const unreadable = useUnreadable(draft.invocationMethod, unreadableBackend);
  const isDirty = definition.isDirty || rights.change !== undefined;
  const { isBusy, error, conflict } = saving;
  useLeaveGuard(isDirty && !isBusy, draft.title || draft.identifier || 'the action');
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const problem = definition.problem ?? missingIn(draft);
  const save = () => {
    if ((isDirty || isNew) && !isBusy && problem === undefined) onSave(draft, rights.change);
  };
  const show = (next: Tab) => {
    if (definition.settle()) setTab(next === 'basics' ? undefined : next);
  };
  useCommands([
    { id: 'action.save', label: t('Save the action'), keys: 'mod+s', run: save },
    { id: 'action.json', label: t('Form or JSON'), keys: 'mod+.', run: () => show(tab === 'json' ? 'form' : 'json') },
  ]);
  const issues = [...refusals(error), ...unreadable];
  const wrong = new Set(refusals(error).map(issueTab));
  const props = { draft, onChange: definition.change, issues, onProblem: definition.tell };
  return (
    <Stack gap="md">
      {conflict && (
        <ConflictView
          base={base}
          mine={draft}
          theirs={toWritten(conflict)}
          saved={conflict}
          onKeepMine={() => saving.rebase?.()}
          onTakeTheirs={() => {
            definition.begin(toWritten(conflict));
            saving.rebase?.();
          }}
        />
      )}
      {rights.conflict && (
        <ConflictView
          base={rights.conflict}
          mine={rights.value}
          theirs={baseRights}
          onKeepMine={rights.keep}
          onTakeTheirs={rights.discard}
        />
      )}
      <Refused error={error} />
      <Tabs value={tab} onChange={(next) => show((next ?? 'basics') as Tab)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each} disabled={definition.textProblem !== undefined && each !== tab}>
              {titles[each]}
              {wrong.has(each) && <span className={classes.wrong}> {t('(to correct)')}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="basics">
          <BasicsTab key={definition.round} isNew={isNew} {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="form">
          <div className={classes.columns}>
            <FormTab key={definition.round} {...props} />
            <FormPreview draft={draft} sample={sample} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="backend">
          <BackendTab key={definition.round} sample={sample} {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="approval">
          <ApprovalTab key={definition.round} {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="rights">
          <RightsTab
            key={definition.round}
            draft={draft}
            sample={sample}
            rights={rights.value}
            issues={issues}
            onChange={rights.set}
            onProblem={definition.tell}
          />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <DefinitionText definition={definition} label={t('Action as JSON')} />
        </Tabs.Panel>
      </Tabs>
      <Unreadable issues={unreadable} />
      <SaveBar
        isDirty={isDirty || isNew}
        problem={problem}
        isBusy={isBusy}
        onSave={save}
        onDiscard={() => {
          definition.discard();
          rights.discard();
          saving.reset();
        }}
      />
    </Stack>
  );
}

/** The server's issues by place; a taken identifier becomes an issue of that field. */
function refusals(error: Error | null | undefined): readonly Issue[] {
  if (errorCode(error) === 'identifier_taken') {
    return [{ path: '/identifier', message: t('Another action has this identifier') }];
  }
  return readIssues(error);
}

/** Permissions being edited, with detection of concurrent changes. */
function useRights(latest: Rights, initial: Rights | undefined) {
  const [edited, setEdited] = useState<{ readonly from: Rights; readonly to: Rights } | undefined>(
    initial && { from: latest, to: initial },
  );
  const change = edited && rightsChange(latest, edited.to);
  return {
    value: edited?.to ?? latest,
    /** The PATCH body; undefined if nothing changed. */
    change,
    /** The permissions from which the edit started, if the stored ones differ now. */
    conflict: change && edited && rightsChange(edited.from, latest) ? edited.from : undefined,
    set: (to: Rights) => setEdited((before) => ({ from: before?.from ?? latest, to })),
    keep: () => setEdited((before) => before && { from: latest, to: before.to }),
    discard: () => setEdited(undefined),
  };
}
