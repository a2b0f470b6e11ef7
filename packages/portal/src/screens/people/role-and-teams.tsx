import { MultiSelect, TagsInput } from '@mantine/core';
import { useRead } from '../../api/query.ts';

interface ListInput {
  readonly value?: string[];
  readonly onChange: (value: string[]) => void;
}

/** The inputs for roles and teams, shared by invitation and edit. */
export function RolesAndTeams({ roles, teams }: { roles: ListInput; teams: ListInput }) {
  const known = useRead('listTeams');
  const names = (known.data?.teams ?? []).flatMap(({ name }) => (name ? [name] : []));
  const blueprints = useRead('listBlueprints');
  const moderators = (blueprints.data?.blueprints ?? []).map(({ identifier }) => `${identifier}-moderator`);
  return (
    <>
      <TagsInput
        label="Roles"
        description="A moderator of a blueprint is <blueprint>-moderator"
        data={['Admin', 'Member', ...moderators]}
        {...roles}
      />
      <MultiSelect label="Teams" searchable data={[...new Set([...names, ...(teams.value ?? [])])]} {...teams} />
    </>
  );
}
