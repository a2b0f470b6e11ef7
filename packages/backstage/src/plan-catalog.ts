import type { Blueprint } from '@portolan/contract/blueprints';
import type { BlueprintRecord } from '@portolan/contract/transfer-file';
import { type BlueprintDefinition, blueprintsFor } from './blueprints.ts';
import type { FoundDocument } from './document.ts';
import { type Draft, type MapOptions, mapDocuments } from './map-documents.ts';
import { type PlannedEntity, planDrafts, planModel } from './plan-drafts.ts';
import type { Problem } from './problem.ts';
import { readKnown, type SearchEntities } from './read-known.ts';
import { missingTargets, settleTargets, targetKey } from './settle-targets.ts';

/** The organization that documents come to. */
export interface CatalogNow {
  readonly blueprints: readonly Blueprint[];
  /** Whether users and teams are entities. */
  readonly hasTeamsAsBlueprints: boolean;
  readonly search: SearchEntities;
}

export interface CatalogPlan {
  /** What the model lacks, whether a blueprint is there or not. */
  readonly model: readonly BlueprintRecord[];
  readonly entities: readonly PlannedEntity[];
  readonly owners: CatalogOwners;
  /** What cannot be mapped, and why. */
  readonly problems: readonly Problem[];
}

/** Of the entities that may have an owner, how many have one that is a team, and the names that are none. */
export interface CatalogOwners {
  readonly ownable: number;
  readonly owned: number;
  readonly missing: readonly string[];
}

/** Compares documents with the catalog: the same plan wherever they were read. Writes nothing. */
export async function planCatalog(
  documents: readonly FoundDocument[],
  now: CatalogNow,
  options: MapOptions = {},
): Promise<CatalogPlan> {
  const mapped = mapDocuments(documents, options);
  const fitted = now.hasTeamsAsBlueprints ? { drafts: mapped.drafts, problems: [] } : withoutPeople(mapped.drafts);
  const targets = [...fitted.drafts, ...missingTargets(fitted.drafts)];
  const known = await readKnown(now.search, targets, new Set(now.blueprints.map(({ identifier }) => identifier)));
  const settled = settleTargets(fitted.drafts, new Set(known.keys()));
  const definitions = blueprintsFor(new Set(settled.drafts.map(({ blueprint }) => blueprint)));
  return {
    model: planModel(now.hasTeamsAsBlueprints ? definitions : definitions.flatMap(ofOldTeams), now.blueprints),
    entities: planDrafts(settled.drafts, definitions, known),
    owners: countOwners(settled.drafts, definitions, new Set([...settled.drafts.map(targetKey), ...known.keys()])),
    problems: [...mapped.problems, ...fitted.problems, ...settled.problems],
  };
}

function countOwners(
  drafts: readonly Draft[],
  definitions: readonly BlueprintDefinition[],
  known: ReadonlySet<string>,
): CatalogOwners {
  const owned = new Set(definitions.filter(({ ownership }) => ownership).map(({ identifier }) => identifier));
  const ownable = drafts.filter(({ blueprint }) => owned.has(blueprint));
  const isTeam = (identifier: string) => known.has(targetKey({ blueprint: '_team', identifier }));
  const named = ownable.flatMap(({ team = [] }) => team);
  return {
    ownable: ownable.length,
    owned: ownable.filter(({ team = [] }) => team.some(isTeam)).length,
    missing: [...new Set(named.filter((name) => !isTeam(name)))].sort(),
  };
}

/** Before users and teams are blueprints there is no place for people; owners are names of teams as ever. */
function withoutPeople(drafts: readonly Draft[]): { drafts: readonly Draft[]; problems: readonly Problem[] } {
  const isPeople = ({ blueprint }: Draft) => blueprint === '_team' || blueprint === '_user';
  const kept = drafts.filter((draft) => !isPeople(draft));
  const count = drafts.length - kept.length;
  const message = `${count} groups and users are left out: in this organization users and teams are not blueprints yet. Run portolan migrate first.`;
  return {
    drafts: kept.map((draft) => {
      const { ownerUser: _ownerUser, ...relations } = draft.relations;
      return { ...draft, relations };
    }),
    problems: count > 0 ? [{ severity: 'warning', code: 'target_missing', message, item: null, place: null }] : [],
  };
}

function ofOldTeams(definition: BlueprintDefinition): readonly BlueprintDefinition[] {
  if (definition.identifier.startsWith('_')) return [];
  const { ownership: _ownership, ...rest } = definition;
  const { ownerUser: _ownerUser, ...relations } = definition.relations;
  return [{ ...rest, relations }];
}
