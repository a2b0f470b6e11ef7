import { Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { useRef } from 'react';
import { withKey } from '../../kit/json-value.ts';
import { issueAt } from '../../kit/refusal.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { useFirstFocus } from '../../kit/use-first-focus.ts';
import { BlueprintSelect } from '../../parts/blueprint-select.tsx';
import { FilterBuilder } from '../../parts/entities/filter-builder.tsx';
import { noRules, type Query } from '../../parts/entities/operators.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import classes from '../../parts/form.module.css';
import { IconSelect } from '../../parts/icon-select.tsx';
import { NamingFields } from '../../parts/naming-fields.tsx';
import { type Draft, type Operation, withBlueprint, withOperation } from './action-draft.ts';
import type { EditorProps } from './editor-props.ts';

const operationWords: Readonly<Record<Operation, string>> = {
  CREATE: t('Creates an entity. Starts without one.'),
  'DAY-2': t('Changes an existing entity, chosen in the form.'),
  DELETE: t('Deletes an entity. Asks for confirmation before it runs.'),
};

/** Name, identifier and operation. */
export function BasicsTab({ isNew, ...props }: EditorProps & { isNew: boolean }) {
  const { draft, onChange, issues } = props;
  const { trigger } = draft;
  const set = (key: keyof Draft & string, value: unknown) =>
    onChange(withKey(draft as unknown as Record<string, unknown>, key, value) as unknown as Draft);
  const setTrigger = (changed: object) => onChange({ ...draft, trigger: changed as SelfServiceTrigger });
  const form = useRef<HTMLDivElement>(null);
  useFirstFocus(form, isNew);
  return (
    <Stack ref={form} gap="md" maw={840}>
      <section className={classes.section} aria-label={t('Action')}>
        <NamingFields
          title={draft.title}
          identifier={draft.identifier}
          isNew={isNew}
          hint={t('Begins with a verb, such as Create a service')}
          issues={issues}
          onChange={(changed) => onChange({ ...draft, ...changed })}
        />
        <IconSelect value={draft.icon} error={issueAt(issues, 'icon')} onChange={(icon) => set('icon', icon)} />
        <Textarea
          label={t('Description')}
          description={t('The purpose of the action, for people who choose between actions')}
          autosize
          maxRows={6}
          value={draft.description ?? ''}
          error={issueAt(issues, 'description')}
          onChange={({ currentTarget }) => set('description', currentTarget.value || undefined)}
        />
        <Switch
          label={t('Published')}
          description={t('Without it, it is not offered on the self-service page')}
          checked={draft.publish !== false}
          onChange={({ currentTarget }) => set('publish', currentTarget.checked)}
        />
      </section>
      <section className={classes.section} aria-label={t('Target')}>
        <div>
          <Text component="div" size="sm" fw={500} mb={4}>
            {t('Operation')}
          </Text>
          <SegmentedControl
            aria-label={t('Operation')}
            data={[
              { value: 'CREATE', label: t('Create') },
              { value: 'DAY-2', label: t('Change') },
              { value: 'DELETE', label: t('Delete') },
            ]}
            value={trigger.operation}
            onChange={(operation) => setTrigger(withOperation(trigger, operation as Operation))}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {operationWords[trigger.operation]}
          </Text>
        </div>
        <BlueprintSelect
          label={t('Blueprint')}
          description={
            trigger.operation === 'CREATE' ? t('The type it creates. Optional') : t('The type of the entity')
          }
          isClearable
          value={trigger.blueprintIdentifier ?? ''}
          error={issueAt(issues, 'trigger', 'blueprintIdentifier')}
          onChange={(blueprint) => onChange(withBlueprint(draft, blueprint))}
        />
        {trigger.operation !== 'CREATE' && trigger.blueprintIdentifier && (
          <Condition
            key={trigger.blueprintIdentifier}
            blueprint={trigger.blueprintIdentifier}
            value={trigger.condition}
            error={issueAt(issues, 'trigger', 'condition')}
            onChange={(condition) => setTrigger(withKey({ ...trigger }, 'condition', condition))}
          />
        )}
        <Group grow align="flex-start">
          <TextInput
            label={t('Button on the card')}
            placeholder={{ CREATE: t('Create'), 'DAY-2': t('Change'), DELETE: t('Delete') }[trigger.operation]}
            maxLength={15}
            value={trigger.actionCardButtonText ?? ''}
            error={issueAt(issues, 'trigger', 'actionCardButtonText')}
            onChange={({ currentTarget }) =>
              setTrigger(withKey({ ...trigger }, 'actionCardButtonText', currentTarget.value || undefined))
            }
          />
          <TextInput
            label={t('Button of the form')}
            placeholder={draft.requiredApproval ? t('Request approval') : t('Run')}
            maxLength={15}
            value={trigger.executeActionButtonText ?? ''}
            error={issueAt(issues, 'trigger', 'executeActionButtonText')}
            onChange={({ currentTarget }) =>
              setTrigger(withKey({ ...trigger }, 'executeActionButtonText', currentTarget.value || undefined))
            }
          />
        </Group>
      </section>
    </Stack>
  );
}

type Search = NonNullable<Extract<SelfServiceTrigger, { operation: 'DAY-2' | 'DELETE' }>['condition']>;

/** The entities for which the action is offered: those that match rules, or all. */
function Condition({
  blueprint,
  value,
  error,
  onChange,
}: {
  blueprint: string;
  value: Search | null | undefined;
  error: string | undefined;
  onChange: (value: Search | undefined) => void;
}) {
  const { fields } = useFields(blueprint);
  return (
    <fieldset>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {t('Only for entities that fit')}
      </Text>
      {fields && (
        <FilterBuilder
          query={value ? ({ combinator: value.combinator, rules: value.rules } as Query) : noRules}
          fields={fields}
          onChange={({ combinator, rules }) =>
            onChange(rules.length === 0 ? undefined : { ...value, type: 'SEARCH', combinator, rules: [...rules] })
          }
        />
      )}
      {error && (
        <Text size="sm" c="var(--danger)" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
