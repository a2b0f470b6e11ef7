import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { publicAddress } from '../../api/public-address.ts';
import { issueAt } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import { BlueprintSelect } from '../blueprint-select.tsx';
import { StructuredField } from '../structured-field.tsx';
import { AiStep } from './ai-step.tsx';
import type { BackendFieldsProps } from './backend-fields.types.ts';
import {
  aiBackend,
  type BackendField,
  backendChoices,
  backendFields,
  freshBackend,
  valueAt,
  withValueAt,
} from './backends.ts';
import { type Backend, isAiAddress } from './stored-action.ts';

/** The backend of an action: its type and the fields of that type. */
export function BackendFields(props: BackendFieldsProps) {
  const { backend, start, onChange: set, issues } = props;
  const isAi = backend.type === 'WEBHOOK' && isAiAddress(backend['url']);
  return (
    <>
      <NativeSelect
        label={t('What is done')}
        data={[...backendChoices]}
        value={isAi ? 'AI' : backend.type}
        error={issueAt(issues, 'invocationMethod', 'type')}
        onChange={({ currentTarget }) => {
          for (const { path } of backendFields(backend.type)) props.onProblem(path.join('.'), undefined);
          set(
            currentTarget.value === 'AI'
              ? aiBackend(publicAddress(), start)
              : freshBackend(currentTarget.value as Backend['type'], start),
          );
        }}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {isAi ? (
        <AiStep {...props} />
      ) : (
        backendFields(backend.type).map((field) => (
          <Field
            key={`${backend.type} ${field.path.join('.')}`}
            field={field}
            value={valueAt(backend, field.path)}
            error={issueAt(issues, 'invocationMethod', ...field.path)}
            onChange={(value) => set(withValueAt(backend, field.path, value))}
            onProblem={(problem) => props.onProblem(field.path.join('.'), problem)}
          />
        ))
      )}
    </>
  );
}

function Field({
  field,
  value,
  error,
  onChange,
  onProblem,
}: {
  field: BackendField;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
  onProblem: (problem: string | undefined) => void;
}) {
  const { kind, label, description, isRequired = false } = field;
  const text = typeof value === 'string' ? value : '';
  if (kind === 'json') {
    return (
      <StructuredField
        language="json"
        label={label}
        {...(description ? { description } : {})}
        value={value}
        error={error}
        onChange={(next) => onChange(next ?? undefined)}
        onProblem={onProblem}
      />
    );
  }
  if (kind === 'switch' && typeof value !== 'string') {
    return (
      <Switch
        label={label}
        description={description}
        checked={value === true}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
      />
    );
  }
  if (kind === 'blueprint') {
    return <BlueprintSelect label={label} value={text} error={error} onChange={onChange} />;
  }
  if (kind === 'method') {
    return (
      <NativeSelect
        label={label}
        data={[...new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', ...(text ? [text] : [])])]}
        value={text || 'POST'}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
    );
  }
  return (
    <TextInput
      label={label}
      description={description}
      required={isRequired}
      withAsterisk={false}
      value={typeof value === 'object' && value !== null ? JSON.stringify(value) : text}
      disabled={typeof value === 'object' && value !== null}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
