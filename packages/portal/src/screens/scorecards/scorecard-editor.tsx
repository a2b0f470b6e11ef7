import { Stack, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { AnswerOf, InputOf } from '../../api/api.ts';
import { call, errorStatus } from '../../api/api.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { useConfirm } from '../../kit/confirm.tsx';
import { useStoredDraft } from '../../kit/draft.ts';
import { identifierFrom } from '../../kit/identifier-from.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { useFirstFocus } from '../../kit/use-first-focus.ts';
import { BlueprintSelect } from '../../parts/blueprint-select.tsx';
import type { Field } from '../../parts/entities/fields.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import { scorecardFields } from './conditions.ts';
import { FilterForm } from './filter-form.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { RulesForm } from './rules-form.tsx';
import { SaveSummary } from './save-summary.tsx';
import { type Draft, findProblem, readDraft, toDraft } from './scorecard-draft.ts';
import classes from './scorecards.module.css';
import { previewInput, usePreview } from './use-preview.ts';

type Saved = AnswerOf<'replaceScorecard'>['scorecard'];

/** A scorecard as a form or as JSON, with what saving would change beside it. */
export function ScorecardEditor({
  blueprint,
  latest,
  isNew = false,
  onBlueprint,
  onSaved,
}: {
  blueprint: string;
  latest: Draft;
  isNew?: boolean;
  onBlueprint?: (blueprint: string) => void;
  onSaved?: (saved: Saved) => void;
}) {
  const [view = 'form', setView] = useUrlState('/builder/scorecards/$blueprint/$scorecard', 'view');
  const [text, setText] = useState<string>();
  const [textProblem, setTextProblem] = useState<string>();
  const confirm = useConfirm();
  const params = { blueprint_identifier: blueprint, scorecard_identifier: latest.identifier };
  const editor = useStoredDraft<Draft, { scorecard: Saved }>({
    latest,
    name: latest.title || 'the scorecard',
    command: t('Save scorecard'),
    problem: (draft) => textProblem ?? (isSame(draft, latest) ? undefined : findProblem(draft, blueprint)),
    ...(isNew
      ? {}
      : {
          readNow: async () => {
            const { scorecard } = await call('getScorecard', { params });
            return { draft: toDraft(scorecard), by: scorecard.updatedBy };
          },
          isWanted: (draft: Draft) => isWanted(draft),
        }),
    send: (draft) => {
      const body = draft as unknown as InputOf<'replaceScorecard'>['body'];
      if (!isNew) return call('replaceScorecard', { params, body });
      return call('createScorecard', { params: { blueprint_identifier: blueprint }, body });
    },
    savedOf: ({ scorecard }) => toDraft(scorecard),
    staleAfter: [
      'listScorecards',
      'listAllScorecards',
      'getScorecard',
      'previewScorecard',
      'getScorecardResults',
      'aggregateEntities',
      'groupBlueprintEntities',
      'getEntity',
    ],
    onSaved: ({ scorecard }) => onSaved?.(scorecard),
    done: ({ scorecard: { title } }) =>
      isNew ? t('{title} was created', { title }) : t('{title} was saved', { title }),
  });
  const { draft, base, round } = editor;
  const preview = usePreview(blueprint, draft, textProblem === undefined);

  const isWanted = async (wanted: Draft): Promise<boolean> => {
    try {
      const found = await call('previewScorecard', previewInput(blueprint, wanted));
      if (found.changedCount === 0) return true;
      return await confirm({
        title: t('Save {title}', { title: wanted.title }),
        consequence: <SaveSummary draft={wanted} found={found} />,
        verb: t('Save scorecard'),
        isDangerous: false,
      });
    } catch (error) {
      // what is wrong is told by the save; only a preview that takes too long leaves people without the figures
      if (errorStatus(error) !== 503) return true;
      return confirm({
        title: t('Save {title}', { title: wanted.title }),
        consequence: t('{message} Levels change once it is saved.', { message: (error as Error).message }),
        verb: t('Save scorecard'),
        isDangerous: false,
      });
    }
  };
  const change = (next: Draft) => editor.set(next);
  const show = (next: 'form' | 'json') => {
    if (textProblem !== undefined) return;
    setText(next === 'json' ? JSON.stringify(draft, null, 2) : undefined);
    setView(next === 'json' ? 'json' : undefined);
  };
  const write = (typed: string) => {
    setText(typed);
    const read = readDraft(typed);
    setTextProblem('problem' in read ? read.problem : undefined);
    if ('draft' in read) change(read.draft);
  };
  const form = useRef<HTMLDivElement>(null);
  useFirstFocus(form, isNew);
  useCommands([
    {
      id: 'scorecard.view',
      label: t('Form or JSON'),
      keys: 'mod+.',
      run: () => show(view === 'form' ? 'json' : 'form'),
    },
  ]);
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('Scorecard as')}
        value={view}
        disabled={textProblem !== undefined}
        onChange={(next) => show(next as 'form' | 'json')}
        data={[
          { value: 'form', label: t('Form') },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {editor.error && <ErrorState error={editor.error} what={t('The scorecard was not saved')} />}
      <div className={classes.editor}>
        <div ref={form} className={classes.form}>
          {view === 'json' ? (
            <>
              <CodeEditor
                language="json"
                label={t('Scorecard as JSON')}
                value={text ?? JSON.stringify(draft, null, 2)}
                minHeight={320}
                maxHeight={640}
                onChange={write}
              />
              <p role="status" className={textProblem ? classes.problem : classes.none}>
                {textProblem ?? t('The same scorecard as in the form.')}
              </p>
            </>
          ) : (
            <Stack gap="md" key={round}>
              <section className={surfaces.block} aria-label={t('Scorecard')}>
                <Stack gap="sm">
                  <TextInput
                    label={t('Title')}
                    placeholder={t('Production readiness')}
                    value={draft.title}
                    onChange={({ currentTarget: { value } }) =>
                      change({
                        ...draft,
                        title: value,
                        ...(isNew && draft.identifier === identifierFrom(draft.title)
                          ? { identifier: identifierFrom(value) }
                          : {}),
                      })
                    }
                  />
                  {isNew && (
                    <>
                      <TextInput
                        label={t('Identifier')}
                        description={t('Cannot be changed later.')}
                        value={draft.identifier}
                        onChange={({ currentTarget }) => change({ ...draft, identifier: currentTarget.value })}
                      />
                      <BlueprintSelect
                        label={t('Blueprint')}
                        description={t('The type of entities to measure.')}
                        value={blueprint}
                        onChange={(next) => onBlueprint?.(next)}
                      />
                    </>
                  )}
                  {blueprint !== '' && (
                    <WithFields blueprint={blueprint}>
                      {(fields) => <FilterForm draft={draft} fields={fields} onChange={change} />}
                    </WithFields>
                  )}
                </Stack>
              </section>
              {blueprint !== '' && (
                <WithFields blueprint={blueprint}>
                  {(fields) => <RulesForm draft={draft} base={base} fields={fields} onChange={change} />}
                </WithFields>
              )}
            </Stack>
          )}
        </div>
        <PreviewPanel blueprint={blueprint} draft={draft} preview={preview} />
      </div>
      <SaveBar
        {...editor.bar}
        onDiscard={() => {
          editor.bar.onDiscard();
          setText(undefined);
          setTextProblem(undefined);
        }}
      />
    </Stack>
  );
}

/** The fields that conditions may name. */
function WithFields({ blueprint, children }: { blueprint: string; children: (fields: readonly Field[]) => ReactNode }) {
  const { read, fields } = useFields(blueprint);
  return <Reading of={read}>{() => fields && children(scorecardFields(fields))}</Reading>;
}

function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
