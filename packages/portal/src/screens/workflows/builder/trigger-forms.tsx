import { ActionIcon, Button, NativeSelect, Select, Switch, TextInput, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown, Plus, X } from 'lucide-react';
import { useRead } from '../../../api/query.ts';
import { withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { BlueprintSelect, withUnknown } from '../../../parts/blueprint-select.tsx';
import { GrantLists, type NamedPeople } from '../../../parts/grant-lists.tsx';
import { JqField } from '../../../parts/jq-field.tsx';
import { InputsEditor } from '../../../parts/user-inputs/inputs-editor.tsx';
import type { NodeConfig } from '../document/definition.ts';
import type { Fault } from '../document/faults.ts';
import { readForm } from '../document/read-form.ts';
import { ConfigFields, type NodeFormProps } from './config-fields.tsx';
import { OfferForm } from './offer-form.tsx';
import { ActionSelect, WorkflowSelect } from './thing-selects.tsx';

/** The forms of triggers. */
export function TriggerForm(props: NodeFormProps) {
  const { node, onChange } = props;
  const { config } = node;
  // its step starts it
  if (config.type === 'ITEM_TRIGGER') return null;
  const set = (part: Readonly<Record<string, unknown>>) => onChange({ ...node, config: { ...config, ...part } });
  return (
    <>
      <Switch
        label={t('Published')}
        description={t('Otherwise it starts no runs')}
        checked={config['published'] !== false}
        onChange={({ currentTarget }) => set({ published: currentTarget.checked })}
      />
      {config.type === 'SELF_SERVE_TRIGGER' && <StartForm {...props} set={set} />}
      {config.type === 'EVENT_TRIGGER' && <EventForm {...props} set={set} />}
      {config.type === 'RUN_TRIGGER' && <RunForm {...props} set={set} />}
      <ConfigFields {...props} />
      {(config.type === 'WEBHOOK_TRIGGER' || config.type === 'RUN_TRIGGER') && <Conditions {...props} set={set} />}
    </>
  );
}

/** What a step waits for: an event, as a trigger's. */
export function AwaitedEvent(props: NodeFormProps) {
  const { node, onChange } = props;
  const set = (part: Readonly<Record<string, unknown>>) => onChange({ ...node, config: { ...node.config, ...part } });
  return <EventForm {...props} set={set} />;
}

interface SetProps extends NodeFormProps {
  readonly set: (part: Readonly<Record<string, unknown>>) => void;
}

/** The faults of a node's form, where the editor of forms expects them. */
export function formFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.flatMap((fault) => {
    const place = fault.path.replace(/^\/config\/userInputs/, '');
    return place === fault.path ? [] : [{ ...fault, path: `/trigger/userInputs${place}` }];
  });
}

export function readPeople(value: unknown): NamedPeople {
  const given = isRecord(value) ? value : {};
  const list = (key: string) => (Array.isArray(given[key]) ? (given[key] as string[]) : []);
  return { roles: list('roles'), teams: list('teams'), users: list('users') };
}

/** Keeps what else is written beside the lists, and leaves empty ones out. */
export function withPeople(value: unknown, { roles, teams, users }: NamedPeople): Readonly<Record<string, unknown>> {
  const kept: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  return Object.entries({ roles, teams, users }).reduce(
    (made, [key, list]) => withKey(made, key, list.length > 0 ? list : undefined) as typeof made,
    kept,
  );
}

function StartForm({ node: { config, identifier }, faults, onChange, node, set }: SetProps) {
  const permissions = config['permissions'];
  const people = readPeople(permissions);
  const label = (key: 'actionCardButtonText' | 'executeActionButtonText', words: string) => (
    <TextInput
      label={words}
      maxLength={15}
      value={String(config[key] ?? '')}
      error={issueAt(faults, 'config', key)}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...node, config: withKey(config, key, value || undefined) as NodeConfig }, `${identifier} ${key}`)
      }
    />
  );
  return (
    <>
      <Title order={3} fz="sm">
        {t('Form')}
      </Title>
      <InputsEditor
        inputs={readForm(config)}
        issues={formFaults(faults)}
        onChange={(userInputs) => set({ userInputs })}
      />
      <Title order={3} fz="sm">
        {t('Who may start it')}
      </Title>
      <GrantLists grant={people} onChange={(next) => set({ permissions: withPeople(permissions, next) })} />
      <OfferForm
        config={config}
        faults={faults}
        onChange={(contexts) =>
          onChange({ ...node, config: withKey(config, 'contexts', contexts as never) as NodeConfig })
        }
      />
      {label('executeActionButtonText', t('Words on the button of the form'))}
      {label('actionCardButtonText', t('Words on the card'))}
    </>
  );
}

const eventChoices = [
  { value: 'ENTITY_CREATED', label: t('An entity is created') },
  { value: 'ENTITY_UPDATED', label: t('An entity is changed') },
  { value: 'ENTITY_DELETED', label: t('An entity is deleted') },
  { value: 'ANY_ENTITY_CHANGE', label: t('An entity is created, changed or deleted') },
  { value: 'TIMER_EXPIRED', label: t('A timer of an entity expires') },
];

function EventForm({ node, faults, set }: SetProps) {
  const { config } = node;
  const event = isRecord(config['event']) ? config['event'] : {};
  const [type, blueprint] = [String(event['type'] ?? ''), String(event['blueprintIdentifier'] ?? '')];
  const { properties } =
    useRead('getBlueprint', { params: { blueprint_identifier: blueprint } }, { isOn: blueprint !== '' }).data?.blueprint
      .schema ?? {};
  const timers = Object.entries(properties ?? {}).flatMap(([value, property]) =>
    property.format === 'timer' ? [{ value, label: property.title || value }] : [],
  );
  const change = (part: Readonly<Record<string, unknown>>) => {
    const { propertyIdentifier, ...rest } = { ...event, ...part } as Readonly<Record<string, unknown>>;
    set({ event: rest['type'] === 'TIMER_EXPIRED' ? { ...rest, propertyIdentifier: propertyIdentifier ?? '' } : rest });
  };
  return (
    <>
      <NativeSelect
        label={t('What happens')}
        data={eventChoices}
        value={type}
        error={issueAt(faults, 'config', 'event', 'type')}
        onChange={({ currentTarget }) => change({ type: currentTarget.value })}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      <BlueprintSelect
        label={t('Of which blueprint')}
        value={blueprint}
        error={issueAt(faults, 'config', 'event', 'blueprintIdentifier')}
        onChange={(blueprintIdentifier) => change({ blueprintIdentifier })}
      />
      {type === 'TIMER_EXPIRED' && (
        <Select
          label={t('Timer')}
          data={withUnknown(timers, String(event['propertyIdentifier'] ?? ''))}
          value={String(event['propertyIdentifier'] ?? '') || null}
          error={issueAt(faults, 'config', 'event', 'propertyIdentifier')}
          onChange={(propertyIdentifier) => change({ propertyIdentifier })}
        />
      )}
      <Conditions node={node} faults={faults} set={set} />
    </>
  );
}

function RunForm({ node: { config }, faults, set }: SetProps) {
  const event = isRecord(config['event']) ? config['event'] : {};
  const type = String(event['type'] ?? '');
  const isWorkflow = type === 'WORKFLOW_RUN_ENDED';
  const key = isWorkflow ? 'workflowIdentifier' : 'actionIdentifier';
  const Thing = isWorkflow ? WorkflowSelect : ActionSelect;
  return (
    <>
      <NativeSelect
        label={t('What ends')}
        data={[
          { value: 'ACTION_RUN_ENDED', label: t('A run of an action') },
          { value: 'WORKFLOW_RUN_ENDED', label: t('A run of a workflow') },
        ]}
        value={type}
        error={issueAt(faults, 'config', 'event', 'type')}
        onChange={({ currentTarget }) => set({ event: { type: currentTarget.value } })}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      <Thing
        label={isWorkflow ? t('Of which workflow') : t('Of which action')}
        standard={t('Any')}
        value={String(event[key] ?? '')}
        error={issueAt(faults, 'config', 'event', key)}
        onChange={(value) => set({ event: { type, ...(value ? { [key]: value } : {}) } })}
      />
    </>
  );
}

function Conditions({ node: { config }, faults, set }: Pick<SetProps, 'node' | 'faults' | 'set'>) {
  const condition = isRecord(config['condition']) ? config['condition'] : {};
  const expressions = Array.isArray(condition['expressions']) ? (condition['expressions'] as string[]) : [];
  const write = (next: readonly string[]) =>
    set({
      condition: next.length === 0 ? undefined : { combinator: 'and', ...condition, type: 'JQ', expressions: next },
    });
  return (
    <>
      {expressions.map((expression, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expression has no name but its place
        <div key={index} data-jq style={{ display: 'flex', gap: 8, alignItems: 'end' }}>
          <div style={{ flex: 1, minWidth: 0 }}>
            <JqField
              label={t('Condition {value}', { value: index + 1 })}
              placeholder='.diff.after.properties.state == "lost"'
              value={expression}
              error={issueAt(faults, 'config', 'condition', 'expressions', String(index))}
              onChange={(value) => write(expressions.map((each, at) => (at === index ? value : each)))}
            />
          </div>
          <ActionIcon
            size={36}
            aria-label={t('Remove condition {value}', { value: index + 1 })}
            onClick={() => write(expressions.filter((_each, at) => at !== index))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {expressions.length > 1 && (
        <NativeSelect
          label={t('How conditions are joined')}
          data={[
            { value: 'and', label: t('All must hold') },
            { value: 'or', label: t('One is enough') },
          ]}
          value={String(condition['combinator'] ?? 'and')}
          onChange={({ currentTarget }) => set({ condition: { ...condition, combinator: currentTarget.value } })}
          rightSection={<ChevronDown size={14} aria-hidden="true" />}
        />
      )}
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        leftSection={<Plus size={14} />}
        onClick={() => write([...expressions, 'true'])}
      >
        {t('Condition')}
      </Button>
    </>
  );
}
