import type { OperationAnswer, OperationInput } from '@portolan/contract/operation';
import type { explainPermission as operation } from '@portolan/contract/permission-explanations';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { type Part, partsOfNew } from '../access/index.ts';
import { keysOfPart, policyWarnings, proposedRights } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import { type EntityPart, grantsBehind, grantsBehindPart } from '../rights/index.ts';
import { checkGrants, type DecisionContext, disabledCheck, toDecisionText, wordsFor } from './decision-text.ts';
import { type EvaluatedEntity, evaluateEntityAccess } from './evaluated-entity.ts';
import { personalCheck } from './personal-check.ts';
import { findQueriedUser, type PermissionQuestion } from './queried-user.ts';

type Question = OperationInput<typeof operation>['body'];
type Explanation = Omit<OperationAnswer<typeof operation>, 'ok'>;
type PartExplanation = NonNullable<Explanation['parts']>[number];

/**
 * Explains whether a user may do something with an entity or a draft of one, listing every evaluated rule. Uses the
 * decision that reads and writes make.
 * @throws AppError `not_found` for a blueprint, user or entity; `invalid_request` for parts the blueprint does not
 * have
 */
export async function explainPermission(
  deps: SearchDeps,
  asking: Actor,
  blueprintName: string,
  question: Question,
): Promise<Explanation> {
  const asked = await findQueriedUser(deps.database, asking, blueprintName, question.user);
  const { changed, warnings } = await withUnsaved(deps, asking, asked, question.permissions);
  const part = questionedPart(changed, question);
  const judged = await evaluateEntityAccess(deps, changed, question.entity);
  const words = await wordsFor(deps.database, changed, judged.subject);
  const answer = { user: changed.user, warnings: [...warnings, ...judged.warnings] };
  if (changed.isDisabled) return { ...toDecisionText([disabledCheck]), checks: [disabledCheck], ...answer };
  const { blueprint } = changed;
  const personal = question.operation === 'read' ? personalCheck(changed, judged) : undefined;
  if (personal) return { ...toDecisionText([personal]), checks: [personal], ...answer };
  const grants = part ? grantsBehindPart(blueprint, ...part) : grantsBehind(question.operation, blueprint);
  const checks = checkGrants(words, grants, judged.subject);
  const told = toDecisionText(checks);
  if (part || question.operation === 'read' || question.operation === 'unregister')
    return { ...told, checks, ...answer };
  const parts = explainParts(words, judged, question.operation);
  const refused = parts.filter(({ allowed }) => !allowed).map(({ key }) => key);
  if (question.operation === 'register' && told.allowed && refused.length > 0) {
    const why = `may register entities, and may not set of this one: ${refused.join(', ')}`;
    return { allowed: false, rule: null, grant: null, why, checks, parts, ...answer };
  }
  return { ...told, checks, parts, ...answer };
}

/** Applies unsaved changes to the question, and lists configured rights that grant nothing. */
export async function withUnsaved(
  deps: SearchDeps,
  asking: Actor,
  asked: PermissionQuestion,
  permissions: Question['permissions'],
): Promise<{ readonly changed: PermissionQuestion; readonly warnings: readonly string[] }> {
  const { blueprint } = asked;
  if (!permissions)
    return { changed: asked, warnings: await policyWarnings(deps.database, blueprint, blueprint.rights) };
  const { rights, warnings } = await proposedRights(deps.database, asking, blueprint, permissions, '/permissions');
  return { changed: { ...asked, blueprint: { ...blueprint, rights } }, warnings };
}

function questionedPart(
  { blueprint }: PermissionQuestion,
  { operation: verb, property, relation }: Question,
): Part | undefined {
  if (property === undefined && relation === undefined) return undefined;
  const path = property === undefined ? '/relation' : '/property';
  const wrong = (message: string) => invalidRequest([{ path, message }], 'The question');
  if (property !== undefined && relation !== undefined) throw wrong('cannot be asked about beside a relation');
  if (verb !== 'update') throw wrong('can be asked about for the operation update only');
  const part: Part = property === undefined ? ['updateRelations', relation as string] : ['updateProperties', property];
  if (keysOfPart(blueprint, part[0]).includes(part[1])) return part;
  throw wrong(`is not a ${property === undefined ? 'relation' : 'property'} of the blueprint`);
}

/** For a new entity, the parts it sets or requires; otherwise all parts. */
function explainParts(
  words: DecisionContext,
  { draft, ownTeamRefs, subject }: EvaluatedEntity,
  verb: 'register' | 'update',
): PartExplanation[] {
  const { blueprint } = words;
  const all = (['updateProperties', 'updateRelations'] as const).flatMap((part): Part[] =>
    keysOfPart(blueprint, part).map((key) => [part, key]),
  );
  const parts = verb === 'register' ? partsOfNew(blueprint, draft, ownTeamRefs) : all;
  return parts.map(([part, key]: readonly [EntityPart, string]) => ({
    part,
    key,
    ...toDecisionText(checkGrants(words, grantsBehindPart(blueprint, part, key), subject)),
  }));
}
