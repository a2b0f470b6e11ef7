import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Issue, issueAt } from '../../kit/refusal.ts';
import { EmptyState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import form from '../form.module.css';
import { JqField } from '../jq-field.tsx';
import { inOneList, inSteps, listSections, withHeading, withInput, withStep } from './form-layout.ts';
import { FormSectionEditor } from './form-section.tsx';
import { HeadingForm } from './heading-form.tsx';
import { InputForm } from './input-form.tsx';

interface OpenDialog {
  readonly what: 'input' | 'heading';
  /** Undefined for a new input. */
  readonly key: string | undefined;
}

/** The inputs of a form, with their order and steps. Issues are at `trigger/userInputs`, whatever the form belongs to. */
export function InputsEditor({
  inputs,
  onChange: set,
  issues,
  begin,
}: {
  inputs: UserInputs;
  onChange: (inputs: UserInputs) => void;
  issues: readonly Issue[];
  /** A way to begin a form that has no inputs. */
  begin?: ReactNode;
}) {
  const [asked, setAsked] = useState<OpenDialog>();
  const [dragged, setDragged] = useState<string>();
  const sections = listSections(inputs);
  const isEmpty = sections.every(({ keys }) => keys.length === 0);
  const taken = new Set([...Object.keys(inputs.properties), ...Object.keys(inputs.titles ?? {})]);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button size="xs" leftSection={<Plus size={14} />} onClick={() => setAsked({ what: 'input', key: undefined })}>
          {t('Input')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => setAsked({ what: 'heading', key: undefined })}
        >
          {t('Heading')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() =>
            set(
              inputs.steps ? withStep(inputs, t('Step {value}', { value: inputs.steps.length + 1 })) : inSteps(inputs),
            )
          }
        >
          {t('Step')}
        </Button>
        {inputs.steps && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => set(inOneList(inputs))}>
            {t('Without steps')}
          </Button>
        )}
      </Group>
      {issueAt(issues, 'trigger', 'userInputs', 'steps') && (
        <Text size="sm" c="var(--danger)" role="alert">
          {issueAt(issues, 'trigger', 'userInputs', 'steps')}
        </Text>
      )}
      {isEmpty && !inputs.steps ? (
        <EmptyState title={t('No inputs yet')} action={begin}>
          {t('Add the inputs that people fill in. Without inputs, the form shows only the button.')}
        </EmptyState>
      ) : (
        sections.map((section, index) => (
          <FormSectionEditor
            key={section.step ?? 'rest'}
            form={inputs}
            section={section}
            index={index}
            issues={issues}
            dragged={dragged}
            onDrag={setDragged}
            onChange={set}
            onEdit={(key) => setAsked({ what: Object.hasOwn(inputs.properties, key) ? 'input' : 'heading', key })}
          />
        ))
      )}
      <Required form={inputs} error={issueAt(issues, 'trigger', 'userInputs', 'required')} onChange={set} />
      {asked?.what === 'input' && (
        <InputForm
          form={inputs}
          initialKey={asked.key}
          taken={taken}
          onClose={() => setAsked(undefined)}
          onDone={(key, input, isRequired) => {
            set(withInput(inputs, asked.key, key, input, isRequired));
            setAsked(undefined);
          }}
        />
      )}
      {asked?.what === 'heading' && (
        <HeadingForm
          initialKey={asked.key}
          initial={asked.key === undefined ? undefined : inputs.titles?.[asked.key]}
          taken={taken}
          onClose={() => setAsked(undefined)}
          onDone={(key, heading) => {
            set(withHeading(inputs, asked.key, key, heading));
            setAsked(undefined);
          }}
        />
      )}
    </Stack>
  );
}

/** Whether a list or a single expression determines the required inputs. */
function Required({
  form: inputs,
  error,
  onChange,
}: {
  form: UserInputs;
  error: string | undefined;
  onChange: (form: UserInputs) => void;
}) {
  const { required } = inputs;
  const isExpression = isRecord(required);
  return (
    <section className={form.section} aria-label={t('What is required')}>
      <NativeSelect
        label={t('What is required')}
        data={[
          { value: 'list', label: t('Each input says it') },
          { value: 'jq', label: t('An expression says it for all') },
        ]}
        value={isExpression ? 'jq' : 'list'}
        error={isExpression ? undefined : error}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...inputs,
            required: value === 'jq' ? { jqQuery: JSON.stringify(Array.isArray(required) ? required : []) } : [],
          })
        }
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {isExpression && (
        <JqField
          label={t('Keys of the required inputs')}
          description={t('A list of texts, from .form, .entity and .user')}
          placeholder='if .form.isPaid then ["cost"] else [] end'
          value={required.jqQuery}
          error={error}
          onChange={(jqQuery) => onChange({ ...inputs, required: { jqQuery } })}
        />
      )}
    </section>
  );
}
