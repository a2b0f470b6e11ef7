import type { AutomationTest, TestAutomationBody } from '@portolan/contract/automations';
import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import { timeOfOne } from '../../platform/expressions.ts';
import { insufficientScope } from '../../platform/scopes.ts';
import { saveAuthority, teamNames } from '../accounts/index.ts';
import { automationRun, findRunFacts, getAction, previewRun } from '../actions/index.ts';
import { findRecord, teamReferencesIn } from '../journal/index.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { checkCondition } from './check-condition.ts';
import { toAutomationEvent } from './event.ts';
import { whyNot } from './why-not.ts';

/**
 * Evaluates an automation on a past or made-up event; nothing is stored or sent.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function testAutomation(
  deps: AutomationsDeps,
  actor: Actor,
  identifier: string,
  body: TestAutomationBody,
): Promise<AutomationTest> {
  const automation = await getAction(deps.database, actor, identifier);
  const { trigger, publish } = automation.definition;
  if (trigger.type !== 'automation') {
    const message = `"${identifier}" is a self-service action; only automations are tested with events`;
    throw invalidRequest([{ path: '{params}/action_identifier', message }], 'The test');
  }
  const event = body.event ?? (await pastEvent(deps, actor, body.eventId as string));
  const reason = whyNot(trigger, event);
  const now = deps.clock.now();
  const condition = checkCondition(trigger, event, timeOfOne('condition of an automation', now));
  const run = automationRun(
    // the request as if the caller had saved the automation
    { ...automation, authority: saveAuthority(actor) },
    { event, blueprint: null, entity: null },
    { id: 'r_0000000000000000', by: systemActor(actor.orgId).id, at: now },
  );
  const preview = await previewRun(deps, actor.orgId, run);
  const test = {
    matches: reason === undefined && condition.holds,
    isPublished: publish !== false,
    event,
    trigger: { matches: reason === undefined, ...(reason === undefined ? {} : { reason }) },
    condition,
    request: 'shown' in preview ? preview.shown : null,
    problems: 'shown' in preview ? [...preview.failures] : [preview.problem],
  };
  // every value was read from JSON or produced by jq
  return test as AutomationTest;
}

async function pastEvent({ database }: AutomationsDeps, { orgId, model, scopes }: Actor, id: string) {
  if (!scopesCover(scopes, 'read:audit-log')) throw insufficientScope('read:audit-log');
  const record = await findRecord(database, orgId, id);
  if (!record) throw notFound('Event', id);
  if (!['entity', 'run'].includes(record.resourceType) || record.status === 'FAILURE') {
    const message = 'is no change of an entity or a run, which is what automations wait for';
    throw invalidRequest([{ path: '/eventId', message }], 'The test');
  }
  const names = await teamNames(database, orgId, model, teamReferencesIn([record]));
  const runs = record.resourceType === 'run' ? await findRunFacts(database, orgId, [record.identifier]) : [];
  return toAutomationEvent(record, { orgId, names, run: runs[0] });
}
