import type { UsersAndTeamsExpression } from '@portolan/contract';
import {
  compareExpressions,
  type ExpressionDifference,
  type JsonObject,
  type ManualItem,
} from '@portolan/team-references';
import type { Reader } from '../../../platform/db/database.ts';
import { listOwnedDocuments } from '../../catalog/index.ts';
import type { PersonStanding } from '../../identity/index.ts';
import { readDocuments } from './read-documents.ts';
import type { Facts } from './read-facts.ts';

/** So many entities of each blueprint, and so many people, are tried. */
const samplesMax = 20;
const listedMax = 1_000;
/** Expressions are people's, and may take long. */
const timeMaxMs = 10_000;
const atOnceMs = 20;

export interface RehearsedExpressions {
  /** How often an expression was tried on an entity or a person. */
  readonly tried: number;
  readonly expressions: UsersAndTeamsExpression[];
  /** Whether there was more than the time or the list allows. */
  readonly isCut: boolean;
}

/**
 * What every expression that meets teams gives now and afterwards, on entities and people as they are: those that give
 * something else unless they are changed, with what is suggested for them. Writes nothing (decision 0050).
 */
export async function rehearseExpressions(
  reader: Reader,
  facts: Facts,
  people: readonly PersonStanding[],
  manual: readonly ManualItem[],
): Promise<RehearsedExpressions> {
  const documents = await readDocuments(reader, facts);
  const owners = new Set(manual.flatMap(({ area, resource }) => (area === 'calculation' ? [resource.identifier] : [])));
  for (const { definition } of facts.actions) {
    const blueprint = blueprintNamedBy(definition as unknown as JsonObject);
    if (blueprint !== undefined) owners.add(blueprint);
  }
  const entities: Record<string, JsonObject[]> = {};
  for (const blueprint of facts.blueprints.filter(({ identifier }) => owners.has(identifier))) {
    const found = await listOwnedDocuments(reader, blueprint, facts.model, samplesMax);
    entities[blueprint.identifier] = found.map((entity) => JSON.parse(JSON.stringify(entity)) as JsonObject);
  }
  const { identifiers } = facts.choices;
  const data = { entities, users: usersOf(facts, people) };
  const expressions: UsersAndTeamsExpression[] = [];
  let tried = 0;
  const startedAt = performance.now();
  let pausedAt = startedAt;
  for (const difference of compareExpressions(manual, documents, data, identifiers ? { identifiers } : {})) {
    tried += 1;
    if (difference) expressions.push(present(difference));
    const now = performance.now();
    if (now - startedAt > timeMaxMs || expressions.length >= listedMax) return { tried, expressions, isCut: true };
    if (now - pausedAt < atOnceMs) continue;
    // others want to be answered meanwhile
    await new Promise((resolve) => setImmediate(resolve));
    pausedAt = performance.now();
  }
  return { tried, expressions, isCut: false };
}

function present({ item, of, before, after, suggested }: ExpressionDifference): UsersAndTeamsExpression {
  const { kind, identifier, title } = item.resource;
  return {
    itemId: item.id,
    resource: { kind, identifier, title },
    pointer: item.pointer,
    of,
    before,
    after,
    ...(suggested === undefined ? {} : { suggested }),
  } as UsersAndTeamsExpression;
}

function blueprintNamedBy({ trigger }: { readonly trigger?: unknown }): string | undefined {
  if (typeof trigger !== 'object' || trigger === null) return undefined;
  const { blueprintIdentifier, event } = trigger as { blueprintIdentifier?: unknown; event?: unknown };
  const own = typeof event === 'object' && event !== null ? event : {};
  const named = blueprintIdentifier ?? (own as { blueprintIdentifier?: unknown }).blueprintIdentifier;
  return typeof named === 'string' ? named : undefined;
}

/** People in teams as forms see them now. */
function usersOf({ teams, model }: Facts, people: readonly PersonStanding[]): JsonObject[] {
  const members = people.filter(({ teamKeys }) => teamKeys.length > 0).slice(0, samplesMax);
  return members.map(({ identifier, role, teamKeys }): JsonObject => {
    const own = teams.filter(({ key }) => teamKeys.includes(key));
    const titles = own.map(({ title }) => title);
    return {
      email: identifier,
      team: titles,
      teams: titles.map((name) => ({ name, provider: null })),
      properties: { port_role: role },
      ...(model === 'beta'
        ? {
            relations: { teams: own.map((team) => team.identifier) },
            teamsIdentifiers: own.map((team) => team.identifier),
          }
        : {}),
    };
  });
}
