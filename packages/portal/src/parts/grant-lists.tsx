import { MultiSelect, TagsInput } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { t } from '../kit/translate.ts';

export interface NamedPeople {
  readonly roles: readonly string[];
  readonly teams: readonly string[];
  readonly users: readonly string[];
}

/** Edits the roles, teams and users of a grant. Unknown names are kept and marked. */
export function GrantLists<Grant extends NamedPeople>({
  grant,
  onChange,
}: {
  grant: Grant;
  onChange: (grant: Grant) => void;
}) {
  const teams = useRead('listTeams');
  const users = useRead('listUsers');
  const known = (teams.data?.teams ?? []).flatMap(({ identifier, name: said }) =>
    identifier ? [{ value: identifier, label: said ?? identifier }] : [],
  );
  const unknown = grant.teams.filter((each) => !known.some(({ value }) => value === each));
  const people = (users.data?.users ?? []).flatMap(({ email }) => (email ? [email] : []));
  return (
    <>
      <TagsInput
        label={t('Roles')}
        data={['Admin', 'Member']}
        value={[...grant.roles]}
        onChange={(roles) => onChange({ ...grant, roles })}
        clearButtonProps={{ 'aria-label': t('Clear') }}
      />
      <MultiSelect
        label={t('Teams')}
        searchable
        data={[...known, ...unknown.map((value) => ({ value, label: t('{value} (no such team)', { value }) }))]}
        value={[...grant.teams]}
        onChange={(chosen) => onChange({ ...grant, teams: chosen })}
      />
      <TagsInput
        label={t('Users')}
        data={people}
        value={[...grant.users]}
        onChange={(chosen) => onChange({ ...grant, users: chosen })}
      />
    </>
  );
}
