import { Alert, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { issuesOf } from '../../parts/refusal.ts';
import { SaveBar } from '../../parts/save-bar.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { type Draft, draftText, missingIn, readDraft } from './automation-draft.ts';
import { AutomationForm } from './automation-form.tsx';
import classes from './automations.module.css';
import { useUnreadable } from './use-unreadable.ts';

/** An automation as a form or as JSON, which say the same; saved as a whole. */
export function AutomationEditor({
  base,
  isNew = false,
  isBusy,
  error,
  onSave,
  onReset,
  onDirty,
}: {
  /** As it is stored, or what a new one begins with. */
  base: Draft;
  isNew?: boolean;
  isBusy: boolean;
  error: Error | null;
  onSave: (draft: Draft) => void;
  onReset: () => void;
  /** Told whether something is not saved. */
  onDirty?: (isDirty: boolean) => void;
}) {
  const [view = 'form', setView] = useUrlState<'form' | 'json'>('view');
  const [draft, setDraft] = useState(base);
  const [text, setText] = useState(() => draftText(base));
  const [textProblem, setTextProblem] = useState<string>();
  const [fields, setFields] = useState<ReadonlyMap<string, string>>(new Map());
  const [round, setRound] = useState(0);
  const unreadable = useUnreadable(draft);
  const refused = issuesOf(error);
  const isDirty = textProblem !== undefined || fields.size > 0 || draftText(draft) !== draftText(base);
  useLeaveGuard(isDirty && !isBusy, draft.title || draft.identifier || 'the automation');
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const [wrong] = fields.entries();
  const problem =
    (textProblem && 'The JSON has to be corrected first.') ?? (wrong && `${wrong[0]} ${wrong[1]}`) ?? missingIn(draft);
  const save = () => {
    if (isDirty && !isBusy && problem === undefined) onSave(draft);
  };
  const change = (next: Draft) => {
    setDraft(next);
    setText(draftText(next));
  };
  const show = (next: 'form' | 'json') => {
    // what cannot be read yet has no form
    if (textProblem !== undefined) return;
    setFields(new Map());
    setText(draftText(draft));
    setView(next === 'form' ? undefined : next);
  };
  useCommands([
    { id: 'automation.save', label: 'Save the automation', keys: 'mod+s', run: save },
    { id: 'automation.json', label: 'Form or JSON', keys: 'mod+.', run: () => show(view === 'form' ? 'json' : 'form') },
  ]);
  const tell = (field: string, said: string | undefined) =>
    setFields((before) => {
      const next = new Map(before);
      if (said === undefined) next.delete(field);
      else next.set(field, said);
      return next;
    });
  return (
    <Stack gap="md">
      <SegmentedControl
        w="fit-content"
        aria-label="Automation as"
        value={view}
        disabled={textProblem !== undefined}
        onChange={(next) => show(next as 'form' | 'json')}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {error && (
        <Alert color="red" role="alert" title="It was not saved">
          {error.message}
          {refused.length > 0 && (
            <ul>
              {refused.map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
      {view === 'form' ? (
        <AutomationForm
          key={round}
          isNew={isNew}
          draft={draft}
          onChange={change}
          issues={[...refused, ...unreadable]}
          onProblem={tell}
        />
      ) : (
        <Group gap="xs" align="flex-start">
          <div className={classes.whole}>
            <CodeEditor
              language="json"
              label="Automation as JSON"
              value={text}
              minHeight={320}
              maxHeight={640}
              onChange={(typed) => {
                setText(typed);
                const read = readDraft(typed);
                setTextProblem('problem' in read ? read.problem : undefined);
                if ('draft' in read) setDraft(read.draft);
              }}
            />
          </div>
          <Text size="sm" c={textProblem === undefined ? 'dimmed' : 'var(--danger)'} role="status">
            {textProblem ?? 'The same as the form. What is changed here is shown there.'}
          </Text>
        </Group>
      )}
      {unreadable.length > 0 && (
        <ul className={classes.problems} aria-label="Templates that will fail">
          {unreadable.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <SaveBar
        isDirty={isDirty || isNew}
        problem={problem}
        isBusy={isBusy}
        onSave={save}
        onDiscard={() => {
          setDraft(base);
          setText(draftText(base));
          setTextProblem(undefined);
          setFields(new Map());
          setRound(round + 1);
          onReset();
        }}
      />
    </Stack>
  );
}
