import type { Blueprint, BlueprintBody } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import { getOwnOrganization, hasTeamsAsBlueprints } from '@portolan/contract/organization';
import type { BlueprintRecord, TransferFile } from '@portolan/contract/transfer-file';

/** A difference between the file and what an import makes of it. */
export interface Note {
  readonly line: number;
  /** What it is about, where it is no workflow. */
  readonly blueprint?: string;
  readonly workflow?: string;
  readonly message: string;
}

interface AdoptedOwnership {
  readonly blueprints: readonly BlueprintRecord[];
  readonly notes: readonly Note[];
}

type Definitions = ReadonlyMap<string, Pick<BlueprintBody, 'relations' | 'ownership'>>;

/**
 * Adapts the blueprints of a file to the organization. If users and teams are blueprints, `teamInheritance` of an older
 * file becomes inherited ownership, and blueprints whose entities name teams get direct ownership, as the migration of
 * users and teams would do. What has no equivalent is dropped. Each change is noted.
 */
export async function adoptOwnership(
  client: Client,
  file: TransferFile,
  existing: readonly Blueprint[],
): Promise<AdoptedOwnership> {
  const isOld = file.blueprints.some(({ body }) => body.teamInheritance) || ownersWithout(file).size > 0;
  if (!isOld) return { blueprints: file.blueprints, notes: [] };
  const { organization } = await client.call(getOwnOrganization);
  return hasTeamsAsBlueprints(organization)
    ? withOwnership(file, existing)
    : { blueprints: file.blueprints, notes: [] };
}

/** The same, for an organization in which users and teams are blueprints. Pure. */
export function withOwnership(file: TransferFile, existing: readonly Blueprint[]): AdoptedOwnership {
  const definitions: Definitions = new Map([
    ...existing.map((blueprint) => [blueprint.identifier, blueprint] as const),
    ...file.blueprints.map(({ identifier, body }) => [identifier, body] as const),
  ]);
  const current = new Map(existing.map((blueprint) => [blueprint.identifier, blueprint.ownership]));
  const owners = ownersWithout(file);
  const notes: Note[] = [];
  const blueprints = file.blueprints.map((record) => {
    const { body, identifier, line } = record;
    const { teamInheritance, ...rest } = body;
    if (body.ownership !== undefined || (!teamInheritance && !owners.has(identifier))) {
      return teamInheritance === undefined ? record : { ...record, body: rest };
    }
    const kept = current.get(identifier);
    const { ownership, message } = teamInheritance
      ? inherited(identifier, teamInheritance.path, definitions)
      : { ownership: { type: 'Direct' } as const, message: 'its entities name teams, so it owns directly' };
    const isSame = kept?.type === ownership?.type && inheritedPath(kept) === inheritedPath(ownership);
    if (!(kept && isSame)) {
      const own = kept ? 'the organization says who owns here, and what it says stays' : message;
      notes.push({ line, blueprint: identifier, message: own });
    }
    return { ...record, body: kept || !ownership ? rest : { ...rest, ownership } };
  });
  return { blueprints, notes };
}

/** Blueprints of the file that declare no ownership, but have entities with teams. */
function ownersWithout({ blueprints, entities }: TransferFile): ReadonlySet<string> {
  const silent = new Set(
    blueprints.flatMap(({ identifier, body }) =>
      body.ownership === undefined && !body.teamInheritance && !identifier.startsWith('_') ? [identifier] : [],
    ),
  );
  const named = entities.filter(({ body: { team } }) => (Array.isArray(team) ? team.length > 0 : Boolean(team)));
  return new Set(named.map(({ blueprint }) => blueprint).filter((blueprint) => silent.has(blueprint)));
}

function inherited(
  from: string,
  path: string,
  definitions: Definitions,
): { readonly ownership?: BlueprintBody['ownership']; readonly message: string } {
  const segments = path.split('.').filter((segment) => segment !== '$team');
  let at: string | undefined = from;
  for (const segment of segments) {
    const relation = findRelation(definitions.get(at ?? ''), segment);
    if (relation?.target === '_team' && segments.length === 1) {
      return {
        ownership: { type: 'Direct' },
        message: `teamInheritance led to teams along "${path}", so it owns directly. Fill the teams from the relation: portolan migrate-data`,
      };
    }
    if (relation?.many) {
      return {
        message: `teamInheritance is left out: "${segment}" of its path "${path}" is a relation to many, and ownership is inherited along relations to one`,
      };
    }
    at = relation?.target;
  }
  return {
    ownership: { type: 'Inherited', path },
    message: `teamInheritance along "${path}" becomes inherited ownership`,
  };
}

function findRelation(blueprint: Pick<BlueprintBody, 'relations'> | undefined, key: string) {
  const relations = blueprint?.relations;
  return relations && Object.hasOwn(relations, key) ? relations[key] : undefined;
}

function inheritedPath(ownership: BlueprintBody['ownership']): string | undefined {
  return ownership?.type === 'Inherited' ? ownership.path : undefined;
}
