import { ActionIcon, Button, Group, NativeSelect, NumberInput, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ArrowDown, ArrowUp, ChevronDown, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { GrantLists } from '../../../parts/grant-lists.tsx';
import { JqField } from '../../../parts/jq-field.tsx';
import { StructuredField } from '../../../parts/structured-field.tsx';
import { InputsEditor } from '../../../parts/user-inputs/inputs-editor.tsx';
import { listOutlets, type NodeConfig, type Outlet } from '../document/definition.ts';
import { listButtons, withButtons, withConfig } from '../document/edits.ts';
import { readForm } from '../document/read-form.ts';
import type { NodeFormProps } from './config-fields.tsx';
import { formFaults, readPeople, withPeople } from './trigger-forms.tsx';
import classes from './workflows.module.css';

/** What the outlets of a node need of the whole document: their names stand in connections too. */
export interface BranchFormProps extends NodeFormProps {
  readonly onAddBranch: () => void;
  readonly onRemoveBranch: (outlet: string) => void;
  readonly onRenameBranch: (from: string, to: string) => void;
  readonly onReorderBranch: (outlet: string, by: -1 | 1) => void;
}

/** The questions of a condition, or the form, the buttons and the people of an input. */
export function BranchForm(props: BranchFormProps) {
  return props.node.config.type === 'INPUT' ? <AskForm {...props} /> : <Outlets {...props} />;
}

function AskForm(props: BranchFormProps) {
  const { node, faults, onChange, onProblem } = props;
  const { config, identifier } = node;
  const set = (part: Readonly<Record<string, unknown>>, field?: string) => onChange(withConfig(node, part), field);
  return (
    <>
      <Textarea
        label={t('What people are asked')}
        autosize
        minRows={2}
        value={String(config['description'] ?? '')}
        error={issueAt(faults, 'config', 'description')}
        onChange={({ currentTarget: { value } }) =>
          onChange(
            { ...node, config: withKey(config, 'description', value || undefined) as NodeConfig },
            `${identifier} asked`,
          )
        }
      />
      <Outlets {...props} />
      <Title order={3} fz="sm">
        {t('Who may respond')}
      </Title>
      <GrantLists
        grant={readPeople(config['responders'])}
        onChange={(people) => set({ responders: withPeople(config['responders'], people) })}
      />
      <Title order={3} fz="sm">
        {t('What they fill in')}
      </Title>
      <InputsEditor
        inputs={readForm(config)}
        issues={formFaults(faults)}
        onChange={(userInputs) => set({ userInputs })}
      />
      <StructuredField
        language="json"
        label={t('Notices')}
        description={t('A list of { "target": "email", "webhook" or "slack", … }')}
        value={config['notifications']}
        error={issueAt(faults, 'config', 'notifications')}
        onChange={(notifications) => set({ notifications: notifications ?? [] })}
        onProblem={(problem) => onProblem(`${identifier} notifications`, problem)}
      />
    </>
  );
}

function Outlets(props: BranchFormProps) {
  const { node, faults } = props;
  const outlets = listOutlets(node);
  const isAsked = node.config.type === 'INPUT';
  return (
    <>
      <Title order={3} fz="sm">
        {isAsked ? t('Buttons') : t('Branches, the first that is true is taken')}
      </Title>
      {issueAt(faults, 'config', 'outlets') !== undefined && outlets.length === 0 && (
        <p className={classes.faults}>{issueAt(faults, 'config', 'outlets')}</p>
      )}
      <Stack gap="xs">
        {outlets.map((outlet, index) => (
          <OutletForm
            key={outlet.identifier}
            {...props}
            outlet={outlet}
            index={index}
            isLast={index === outlets.length - 1}
          />
        ))}
      </Stack>
      <Button size="xs" variant="default" w="fit-content" leftSection={<Plus size={14} />} onClick={props.onAddBranch}>
        {isAsked ? t('Button') : t('Branch')}
      </Button>
    </>
  );
}

const variants = [
  { value: 'PRIMARY', label: t('Filled') },
  { value: 'SECONDARY', label: t('Plain') },
  { value: 'DANGER', label: t('Red') },
];

function OutletForm({
  node,
  faults,
  onChange,
  onRemoveBranch,
  onRenameBranch,
  onReorderBranch,
  outlet,
  index,
  isLast,
}: BranchFormProps & { outlet: Outlet; index: number; isLast: boolean }) {
  const { identifier } = outlet;
  const isAsked = node.config.type === 'INPUT';
  const [name, setName] = useState(identifier);
  const button = listButtons(node).find((each) => each.identifier === identifier);
  const at = (key: string) => issueAt(faults, 'config', 'outlets', String(index), key);
  const set = (key: string, value: unknown) => {
    const outlets = listOutlets(node).map((each) => (each === outlet ? withKey(each, key, value) : each));
    onChange(withConfig(node, { outlets }), `${node.identifier} ${identifier} ${key}`);
  };
  const setButton = (key: string, value: unknown) => {
    const buttons = listButtons(node).map((each) => (each === button ? { ...each, [key]: value } : each));
    onChange(withButtons(node, buttons), `${node.identifier} ${identifier} ${key}`);
  };
  const title = outlet.title || button?.label || identifier;
  return (
    <div className={classes.outlet}>
      <Group gap={4} justify="flex-end">
        <ActionIcon
          size={32}
          aria-label={t('Move {title} up', { title })}
          disabled={index === 0}
          onClick={() => onReorderBranch(identifier, -1)}
        >
          <ArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          size={32}
          aria-label={t('Move {title} down', { title })}
          disabled={isLast}
          onClick={() => onReorderBranch(identifier, 1)}
        >
          <ArrowDown size={16} />
        </ActionIcon>
        <ActionIcon size={32} aria-label={t('Remove {title}', { title })} onClick={() => onRemoveBranch(identifier)}>
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
      <TextInput
        label={t('Identifier')}
        value={name}
        error={at('identifier')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onBlur={() => onRenameBranch(identifier, name.trim())}
      />
      {isAsked ? (
        <>
          <TextInput
            label={t('Words on the button')}
            value={String(button?.label ?? '')}
            onChange={({ currentTarget }) => setButton('label', currentTarget.value)}
          />
          <NativeSelect
            label={t('Look of the button')}
            data={variants}
            value={String(button?.variant ?? 'SECONDARY')}
            onChange={({ currentTarget }) => setButton('variant', currentTarget.value)}
            rightSection={<ChevronDown size={14} aria-hidden="true" />}
          />
          <NumberInput
            label={t('How many have to press it')}
            min={1}
            max={1000}
            value={Number(outlet['numOfResponders'] ?? 1)}
            error={at('numOfResponders')}
            onChange={(value) => set('numOfResponders', Number(value) || 1)}
          />
        </>
      ) : (
        <>
          <TextInput
            label={t('Title')}
            value={String(outlet.title ?? '')}
            onChange={({ currentTarget }) => set('title', currentTarget.value || undefined)}
          />
          <div data-jq>
            <JqField
              label={t('Is taken if')}
              placeholder=".outputs.call.response.status == 200"
              value={String(outlet['expression'] ?? '')}
              error={at('expression')}
              onChange={(expression) => set('expression', expression)}
            />
          </div>
        </>
      )}
      <TextInput
        label={t('What the run says then')}
        value={isRecord(outlet['workflowStatusLabel']) ? String(outlet['workflowStatusLabel']['text'] ?? '') : ''}
        error={at('workflowStatusLabel')}
        onChange={({ currentTarget: { value } }) => {
          const label = isRecord(outlet['workflowStatusLabel']) ? outlet['workflowStatusLabel'] : {};
          set('workflowStatusLabel', value ? { ...label, text: value } : undefined);
        }}
      />
    </div>
  );
}
