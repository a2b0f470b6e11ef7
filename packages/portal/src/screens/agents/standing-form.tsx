import { NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { standingApprovalBounds } from '@portolan/contract/standing-approval-bounds';
import type { ApprovedEntity, ApprovedInput } from '@portolan/contract/standing-approvals';
import { type AnswerOf, call } from '../../api/api.ts';
import { DialogForm, FieldProblem, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';

type GivableAction = AnswerOf<'listStandingApprovals'>['givable'][number];
type InputChoice = 'default' | 'any' | 'closed' | 'question' | 'const';

const entityChoices = [
  { value: 'list', label: t('These entities') },
  { value: 'question', label: t('The one that the question names') },
  { value: 'trigger', label: t('The one that the question is about') },
  { value: 'any', label: t('Any') },
];
const inputChoices: readonly { value: InputChoice; label: string }[] = [
  { value: 'default', label: t('What the form fills in') },
  { value: 'closed', label: t('A number, a date or a value of its list') },
  { value: 'question', label: t('Words of the question') },
  { value: 'const', label: t('Always the same text') },
  { value: 'any', label: t('Anything') },
];

const dayMs = 86_400_000;

/** Lets an agent run an action by itself; what was given cannot be changed, only revoked. */
export function StandingForm({
  agent,
  actions,
  onClose,
}: {
  agent: string;
  actions: readonly GivableAction[];
  onClose: () => void;
}) {
  const form = useSentForm({
    initial: {
      action: actions[0]?.identifier ?? '',
      entity: 'list',
      identifiers: '',
      inputs: {} as Readonly<Record<string, InputChoice>>,
      texts: {} as Readonly<Record<string, string>>,
      maxPerHour: 5 as number | string,
      expiresAt: 30 as number | string,
    },
    staleAfter: ['listStandingApprovals'],
    done: t('The standing approval was given'),
    onSaved: onClose,
    send: ({ action, entity, identifiers, inputs, texts, maxPerHour, expiresAt }) => {
      if (typeof maxPerHour !== 'number') throw new FieldProblem('maxPerHour', t('Enter a number.'));
      if (typeof expiresAt !== 'number') throw new FieldProblem('expiresAt', t('Enter a number of days.'));
      const chosen = actions.find(({ identifier }) => identifier === action);
      const list = identifiers.split(/[\s,]+/).filter((each) => each !== '');
      if (chosen?.blueprint && entity === 'list' && list.length === 0)
        throw new FieldProblem('identifiers', t('Name at least one entity.'));
      const approved = entity === 'list' ? list : (entity as ApprovedEntity);
      return call('createStandingApproval', {
        body: {
          agent,
          action,
          ...(chosen?.blueprint ? { entity: approved } : {}),
          inputs: toInputs(chosen, inputs, texts),
          maxPerHour,
          expiresAt: new Date(Date.now() + expiresAt * dayMs).toISOString(),
        },
      });
    },
  });
  const { values } = form;
  const action = actions.find(({ identifier }) => identifier === values.action);
  return (
    <DialogForm
      form={{ ...form, operation: 'createStandingApproval' }}
      title={t('Let the agent run an action automatically')}
      verb={t('Give')}
      refused={t('The standing approval was not given')}
      onClose={onClose}
    >
      <Select
        label={t('Action')}
        data={actions.map(({ identifier, title }) => ({ value: identifier, label: title ?? identifier }))}
        searchable
        allowDeselect={false}
        data-autofocus
        {...form.field('action')}
      />
      {action?.blueprint && (
        <>
          <Select label={t('On')} data={entityChoices} allowDeselect={false} {...form.field('entity')} />
          {values.entity === 'list' && (
            <Textarea
              label={t('Identifiers')}
              description={t('Separated by commas or lines.')}
              autosize
              minRows={1}
              maxRows={4}
              {...form.field('identifiers')}
            />
          )}
        </>
      )}
      {action?.inputs.map(({ key, title }) => (
        <Stack key={key} gap={4}>
          <Select
            label={t('Input {title}', { title })}
            data={[...inputChoices]}
            allowDeselect={false}
            value={values.inputs[key] ?? 'default'}
            onChange={(choice) => form.set({ inputs: { ...values.inputs, [key]: choice as InputChoice } })}
          />
          {values.inputs[key] === 'const' && (
            <TextInput
              aria-label={t('Text of the input {title}', { title })}
              value={values.texts[key] ?? ''}
              onChange={({ currentTarget }) => form.set({ texts: { ...values.texts, [key]: currentTarget.value } })}
            />
          )}
        </Stack>
      ))}
      <NumberInput
        label={t('Runs in an hour at most')}
        min={1}
        max={standingApprovalBounds.perHourMax}
        allowDecimal={false}
        {...form.field('maxPerHour')}
      />
      <NumberInput
        label={t('Days until it ends')}
        min={1}
        max={standingApprovalBounds.daysMax}
        allowDecimal={false}
        {...form.field('expiresAt')}
      />
      <Text size="sm" c="dimmed">
        {t(
          'The approval ends at once if the action or the agent is changed, and holds only while you may run and approve such a call yourself. For actions that delete, nothing may be left open.',
        )}
      </Text>
    </DialogForm>
  );
}

/** Inputs of the chosen action alone: what was chosen for another one is left out. */
function toInputs(
  action: GivableAction | undefined,
  choices: Readonly<Record<string, InputChoice>>,
  texts: Readonly<Record<string, string>>,
): Record<string, ApprovedInput> {
  return Object.fromEntries(
    (action?.inputs ?? []).flatMap(({ key }) => {
      const choice = choices[key] ?? 'default';
      if (choice === 'default') return [];
      return [[key, choice === 'const' ? { const: texts[key] ?? '' } : choice] as const];
    }),
  );
}
