import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';

interface TeamForm {
  /** Whether teams and people are entities, which the server searches; undefined until that is known. */
  readonly areEntities: boolean | undefined;
  readonly teams: readonly { readonly name: string; readonly identifier: string }[];
  /** What an entity holds of a team, and a rule compares, in the organization's model. */
  readonly entityForm: (team: { readonly name: string; readonly identifier: string }) => string;
  readonly ruleForm: (team: { readonly name: string; readonly identifier: string }) => string;
  /** The name to a value of either form; the value itself where no team fits. */
  readonly nameOf: (value: string) => string;
}

/**
 * How the organization writes teams. Where they are entities they are written by their identifiers, before that by their
 * names; in between, values are names and rules compare identifiers.
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
      teams,
      entityForm: ({ name, identifier }) => (isNew ? identifier : name),
      ruleForm: ({ name, identifier }) => (isNew || isBetween ? identifier : name),
      nameOf: (value) => names.get(value) ?? value,
    };
  }, [organization.data, blueprints.data, data]);
}
