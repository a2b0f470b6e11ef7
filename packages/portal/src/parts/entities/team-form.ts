import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';

interface TeamForm {
  /** Whether teams and users are entities, which the server can search; undefined while loading. */
  readonly areEntities: boolean | undefined;
  /**
   * Whether teams have a page of their own. While they are shown by name, before the migration of users and teams, a value
   * does not identify its team.
   */
  readonly havePages: boolean;
  readonly teams: readonly { readonly name: string; readonly identifier: string }[];
  /** Whether it is known that there is no team. */
  readonly hasNone: boolean;
  /** How the organization's entities refer to a team; `ruleForm` is how search rules do. */
  readonly entityForm: (team: { readonly name: string; readonly identifier: string }) => string;
  readonly ruleForm: (team: { readonly name: string; readonly identifier: string }) => string;
  /** The name for a value of either form; the value itself if no team matches. */
  readonly nameOf: (value: string) => string;
}

/**
 * How the organization refers to teams: by name before the migration of users and teams, by identifier after it. During
 * the migration entities hold names, and rules compare identifiers.
 */
export function useTeams(): TeamForm {
  const organization = useRead('getOwnOrganization');
  const blueprints = useRead('listBlueprints');
  const { data } = useRead('listTeams', { query: { fields: ['name', 'identifier'] } });
  return useMemo(() => {
    const isNew = organization.data?.organization.featureFlags.includes('USERS_AND_TEAMS_OWNERSHIP_V2') ?? false;
    const areEntities = blueprints.data?.blueprints.some(({ identifier }) => identifier === '_team');
    const isBetween = !isNew && (areEntities ?? false);
    const teams = (data?.teams ?? []).map(({ name = '', identifier = name }) => ({ name, identifier }));
    const names = new Map(
      teams.flatMap(({ name, identifier }) => [[name, name] as const, [identifier, name] as const]),
    );
    return {
      areEntities,
      havePages: isNew,
      teams,
      hasNone: data !== undefined && teams.length === 0,
      entityForm: ({ name, identifier }) => (isNew ? identifier : name),
      ruleForm: ({ name, identifier }) => (isNew || isBetween ? identifier : name),
      nameOf: (value) => names.get(value) ?? value,
    };
  }, [organization.data, blueprints.data, data]);
}
