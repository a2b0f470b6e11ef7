import type { UsersAndTeamsExpression } from '@portolan/contract/users-and-teams';
import {
  compareExpressions,
  type ExpressionDifference,
  type ManualItem,
  type OrganizationDocuments,
} from '@portolan/team-references';
import type { Reader } from '../../../platform/db/database.ts';
import type { PersonStanding } from '../../accounts/maintenance.ts';
import type { Facts } from './read-facts.ts';
import { readSamples, withSampleTimeout } from './read-samples.ts';

/** So many entities of each blueprint, and so many people, are tried. */
const samplesMax = 20;
const listedMax = 1_000;
/** Expressions are people's, and may take long. */
const timeMaxMs = 10_000;

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
  documents: OrganizationDocuments,
  people: readonly PersonStanding[],
  manual: readonly ManualItem[],
): Promise<RehearsedExpressions> {
  const data = await readSamples(reader, facts, people, manual, samplesMax);
  const { identifiers } = facts.choices;
  const expressions: UsersAndTeamsExpression[] = [];
  let tried = 0;
  const startedAt = performance.now();
  const differences = compareExpressions(manual, documents, data, identifiers ? { identifiers } : {});
  for await (const difference of withSampleTimeout(differences, timeMaxMs)) {
    tried += 1;
    if (difference) expressions.push(present(difference));
    if (expressions.length >= listedMax) break;
  }
  const isCut = expressions.length >= listedMax || performance.now() - startedAt > timeMaxMs;
  return { tried, expressions, isCut };
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
