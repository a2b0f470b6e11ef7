import { MultiSelect, TagsInput } from '@mantine/core';
import { useRead } from '../../api/query.ts';

/** Roles and teams of a user, as both invitations and changes take them. */
export function RolesAndTeams({
  roles,
  teams,
  onRoles,
  onTeams,
}: {
  roles: readonly string[];
  teams: readonly string[];
  onRoles: (roles: string[]) => void;
  onTeams: (teams: string[]) => void;
}) {
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
        value={[...roles]}
        onChange={onRoles}
      />
      <MultiSelect
        label="Teams"
        searchable
        data={[...new Set([...names, ...teams])]}
        value={[...teams]}
        onChange={onTeams}
      />
    </>
  );
}
