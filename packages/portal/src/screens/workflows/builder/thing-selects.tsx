import { Select } from '@mantine/core';
import { useRead } from '../../../api/query.ts';
import { t } from '../../../kit/translate.ts';
import { useMay } from '../../../parts/access/permit.ts';

interface ThingSelectProps {
  readonly label: string;
  readonly description?: string | undefined;
  /** What holds where nothing is chosen; without it something has to be. */
  readonly standard?: string | undefined;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Picks one of the agents of the organization. */
export function AgentSelect(props: ThingSelectProps) {
  const agents = useRead('listEntities', { params: { blueprint_identifier: '_ai_agent' }, query: {} });
  return <ThingSelect {...props} things={agents.data?.entities ?? []} />;
}

/** Picks one of the actions with a form that the caller may see. */
export function ActionSelect(props: ThingSelectProps) {
  const actions = useRead('listActions', { query: { trigger_type: 'self-service' } });
  return <ThingSelect {...props} things={actions.data?.actions ?? []} />;
}

/** Picks one of the workflows that the caller may see. */
export function WorkflowSelect(props: ThingSelectProps) {
  const workflows = useRead('listWorkflows', { query: {} } as never);
  return <ThingSelect {...props} things={workflows.data?.workflows ?? []} />;
}

/** Picks one of the secrets of the organization, of which nobody sees the values. */
export function SecretSelect(props: ThingSelectProps) {
  const maySee = useMay('listSecrets').isAllowed;
  const secrets = useRead('listSecrets', {}, { isOn: maySee }).data?.secrets ?? [];
  return <ThingSelect {...props} things={secrets.map(({ secretName }) => ({ identifier: secretName }))} />;
}

interface Thing {
  readonly identifier?: string | undefined;
  readonly title?: string | null | undefined;
}

/** What is written stays, though it is a template or not there yet. */
function ThingSelect({
  things,
  label,
  description,
  standard,
  value,
  error,
  onChange,
}: ThingSelectProps & { things: readonly Thing[] }) {
  const known = things.flatMap(({ identifier, title }) =>
    identifier ? [{ value: identifier, label: title || identifier }] : [],
  );
  const isKnown = value === '' || known.some((each) => each.value === value);
  return (
    <Select
      label={label}
      description={description}
      searchable
      allowDeselect={false}
      {...(standard === undefined
        ? {}
        : {
            placeholder: standard,
            clearable: true,
            clearButtonProps: { 'aria-label': t('Empty {label}', { label }) },
          })}
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
