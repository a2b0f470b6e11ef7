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

/** Entities per blueprint, and people, on which expressions are evaluated. */
const samplesMax = 20;
const listedMax = 1_000;
/** Expressions of people may be slow. */
const timeMaxMs = 10_000;

export interface RehearsedExpressions {
  readonly tried: number;
  readonly expressions: UsersAndTeamsExpression[];
  /** True if the time or the list limit was reached. */
  readonly isCut: boolean;
}

/**
 * Evaluates every expression that concerns teams on current entities and people, before and after the migration. Lists
 * those whose result changes unless edited, with the result of the suggestion. Writes nothing (decision 0050).
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
