import { Select } from '@mantine/core';
import { useRead } from '../../../api/query.ts';

interface ThingSelectProps {
  readonly label: string;
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

interface Thing {
  readonly identifier?: string | undefined;
  readonly title?: string | null | undefined;
}

/** What is written stays, though it is a template or not there yet. */
function ThingSelect({ things, label, value, error, onChange }: ThingSelectProps & { things: readonly Thing[] }) {
  const known = things.flatMap(({ identifier, title }) =>
    identifier ? [{ value: identifier, label: title || identifier }] : [],
  );
  const isKnown = value === '' || known.some((each) => each.value === value);
  return (
    <Select
      label={label}
      searchable
      allowDeselect={false}
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
