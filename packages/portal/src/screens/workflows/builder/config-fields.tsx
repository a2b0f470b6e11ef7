import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown } from 'lucide-react';
import { withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { BlueprintSelect } from '../../../parts/blueprint-select.tsx';
import { JqField } from '../../../parts/jq-field.tsx';
import { StructuredField } from '../../../parts/structured-field.tsx';
import type { NodeConfig, WorkflowNode } from '../document/definition.ts';
import type { Fault } from '../document/faults.ts';
import type { NodeField } from '../node-field.ts';
import { listFields } from '../node-fields.ts';
import { ActionSelect, AgentSelect, SecretSelect, WorkflowSelect } from './thing-selects.tsx';

/** What every form of a node receives. */
export interface NodeFormProps {
  readonly node: WorkflowNode;
  /** The faults of the node, with their places in it. */
  readonly faults: readonly Fault[];
  /** `field` names what is typed in. */
  readonly onChange: (node: WorkflowNode, field?: string) => void;
  /** Reports unreadable text in a field, which blocks saving. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}

/** The fields of a node whose type needs no form of its own. */
export function ConfigFields({
  node,
  faults,
  onChange,
  onProblem,
  fields = listFields(node.config.type),
}: NodeFormProps & { fields?: readonly NodeField[] }) {
  return fields.map((field) => {
    const place = field.path.join('.');
    const name = `${node.identifier} ${place}`;
    return (
      <ConfigField
        key={name}
        field={field}
        value={readAt(node.config, field.path)}
        error={issueAt(faults, 'config', ...field.path)}
        onChange={(value) => onChange({ ...node, config: withValue(node.config, field.path, value) }, name)}
        onProblem={(problem) => onProblem(name, problem)}
      />
    );
  });
}

function readAt(config: NodeConfig, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), config);
}

function withValue(config: NodeConfig, [first = '', second]: readonly string[], value: unknown): NodeConfig {
  if (second === undefined) return withKey(config, first, value) as NodeConfig;
  const inner = isRecord(config[first]) ? config[first] : {};
  const next = withKey(inner, second, value);
  return withKey(config, first, Object.keys(next).length === 0 ? undefined : next) as NodeConfig;
}

interface ConfigFieldProps {
  readonly field: NodeField;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

function ConfigField({ field, value, error, onChange, onProblem }: ConfigFieldProps) {
  const { kind, label, description, placeholder, choices = [], standard } = field;
  const said = description === undefined ? {} : { description };
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  if (kind === 'json') {
    return (
      <StructuredField
        language="json"
        label={label}
        {...said}
        value={value}
        error={error}
        onChange={(next) => onChange(next ?? undefined)}
        onProblem={onProblem}
      />
    );
  }
  // a template in the place of a switch stays a text
  if (kind === 'switch' && typeof value !== 'string') {
    return (
      <Switch
        label={label}
        {...said}
        checked={(value ?? standard) === true}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (kind === 'choice') {
    const written = text || String(standard ?? '');
    const known = choices.some((each) => each.value === written);
    return (
      <NativeSelect
        label={label}
        {...said}
        data={known ? [...choices] : [...choices, { value: written, label: written }]}
        value={written}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
    );
  }
  if (kind === 'blueprint') return <BlueprintSelect label={label} value={text} error={error} onChange={onChange} />;
  const Select = { agent: AgentSelect, action: ActionSelect, workflow: WorkflowSelect, secret: SecretSelect }[
    kind as string
  ];
  if (Select) return <Select label={label} {...said} value={text} error={error} onChange={onChange} />;
  if (kind === 'jq') {
    return (
      <div data-jq>
        <JqField
          label={label}
          {...said}
          placeholder={placeholder ?? ''}
          value={text}
          error={error}
          onChange={onChange}
        />
      </div>
    );
  }
  const typed = (next: string) => {
    if (next === '') return onChange(undefined);
    onChange(kind === 'number' && /^\d+(\.\d+)?$/.test(next) ? Number(next) : next);
  };
  if (kind === 'lines') {
    return (
      <Textarea
        label={label}
        {...said}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={error}
        onChange={({ currentTarget }) => typed(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      label={label}
      {...said}
      {...(placeholder ? { placeholder } : {})}
      value={text}
      error={error}
      onChange={({ currentTarget }) => typed(currentTarget.value)}
    />
  );
}
