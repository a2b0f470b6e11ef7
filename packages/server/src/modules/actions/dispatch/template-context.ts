import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { listTemplates, mayReadAt } from '../../../platform/expression-reads.ts';
import { outside, type TextAuthor } from '../../../platform/text-authors.ts';
import { createTextsRead } from '../../../platform/texts-read.ts';
import { findPersonFacts, listNameAuthors } from '../../accounts/index.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { findShownAuthors } from '../../entities/index.ts';
import { can } from '../../rights/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import { inputBlueprint, type Values } from '../inputs/form.ts';
import { entityContext } from '../inputs/form-context.ts';
import type { StoredRun } from '../runs/run.ts';

/** The template context of a run (catalog semantics §4.5), without secrets. */
export interface TemplateContext {
  readonly inputs: Values | null;
  readonly entity: Values | null;
  readonly event: unknown;
  readonly trigger: Values;
  readonly action: Values;
  readonly run: Values;
}

/** A member of the context, with those who wrote what stands in it beside whoever asked for the run. */
interface Authored<Value> {
  readonly value: Value;
  readonly authors: readonly TextAuthor[];
}

interface Reading {
  readonly deps: ActionsDeps;
  readonly actor: Actor;
  readonly run: StoredRun;
}

/** How each member is read. One that does not say who wrote it is not compiled. */
const members: {
  readonly [Member in keyof TemplateContext]: (reading: Reading) => Promise<Authored<TemplateContext[Member]>>;
} = {
  inputs: (reading) => noting(reading, expandedInputs),
  entity: (reading) => noting(reading, entityOfRun),
  event: async (reading) => ({ value: await eventFor(reading), authors: await findEventAuthors(reading) }),
  trigger: async (reading) => ({ value: await triggerOfRun(reading), authors: await findNameAuthors(reading) }),
  // whoever saved the action stands behind what it does
  action: async ({ run }) => ({ value: describeAction(run), authors: [] }),
  run: async ({ run: { id, blueprint } }) => ({
    value: { id, ...(blueprint === null ? {} : { blueprint }) },
    authors: [],
  }),
};

/** The context from the current state, as far as the actor may read; entity inputs become entities. */
export async function templateContext(
  deps: ActionsDeps,
  actor: Actor,
  run: StoredRun,
): Promise<{ readonly context: TemplateContext; readonly authors: readonly TextAuthor[] }> {
  const reading: Reading = { deps, actor, run };
  const authors: TextAuthor[] = [];
  const read = async <Member extends keyof TemplateContext>(member: Member): Promise<TemplateContext[Member]> => {
    const found = await members[member](reading);
    authors.push(...found.authors);
    return found.value;
  };
  const context: TemplateContext = {
    inputs: await read('inputs'),
    entity: await read('entity'),
    event: await read('event'),
    trigger: await read('trigger'),
    action: await read('action'),
    run: await read('run'),
  };
  return { context, authors };
}

async function noting<Value>(reading: Reading, read: (noted: Reading) => Promise<Value>): Promise<Authored<Value>> {
  const textsRead = createTextsRead();
  const value = await read({ ...reading, actor: { ...reading.actor, textsRead } });
  return { value, authors: [...textsRead.places.keys()] };
}

async function entityOfRun({ deps, actor, run }: Reading): Promise<Values | null> {
  if (run.action.definition.trigger.type !== 'self-service') return null;
  if (run.entity === null || run.blueprint === null) return {};
  return (await readAs(deps, actor, run.blueprint, run.entity)) ?? {};
}

async function triggerOfRun(reading: Reading): Promise<Values> {
  const { trigger } = reading.run.action.definition;
  return {
    by: await triggeredBy(reading),
    origin: reading.run.source,
    at: reading.run.createdAt.toISOString(),
    ...(trigger.type === 'self-service' ? { operation: trigger.operation } : {}),
  };
}

function describeAction({ action: { definition }, actionIdentifier, blueprint }: StoredRun): Values {
  const { trigger, invocationMethod } = definition;
  return {
    identifier: actionIdentifier,
    ...(blueprint === null ? {} : { blueprint }),
    ...(trigger.type === 'self-service'
      ? { invocationMethod, encryptedProperties: encryptedInputs(trigger.userInputs) }
      : {}),
  };
}

async function expandedInputs({ deps, actor, run }: Reading): Promise<Values | null> {
  const { trigger } = run.action.definition;
  if (trigger.type !== 'self-service') return null;
  const expanded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(run.properties)) {
    const input = trigger.userInputs.properties[key];
    const blueprint = input && inputBlueprint(input);
    expanded[key] = blueprint === undefined ? value : await expand(deps, actor, blueprint, value);
  }
  return expanded;
}

async function expand(deps: ActionsDeps, actor: Actor, blueprint: string, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => expand(deps, actor, blueprint, each)));
  if (typeof value !== 'string') return value;
  return (await readAs(deps, actor, blueprint, value)) ?? { identifier: value };
}

/** Reads an entity with the authority of the action, because the author of an address can read what is sent there. */
async function readAs(deps: ActionsDeps, actor: Actor, blueprint: string, entity: string) {
  if (!scopesCover(actor.scopes, 'read:entities')) return undefined;
  return entityContext(deps, actor, blueprint, entity);
}

/** The event; without its before and after if the action may not read them. */
async function eventFor({ deps, actor, run }: Reading): Promise<unknown> {
  const event = (run.event ?? null) as { readonly resourceType?: unknown } | null;
  if (event === null || (await mayReadEvent(deps, actor, run, event.resourceType === 'run'))) return event;
  return { ...event, diff: { before: null, after: null } };
}

async function mayReadEvent({ database }: ActionsDeps, actor: Actor, run: StoredRun, isOfRun: boolean) {
  if (!scopesCover(actor.scopes, isOfRun ? 'read:runs' : 'read:entities')) return false;
  if (isOfRun || run.blueprint === null) return isAdmin(actor);
  const blueprint = await findBlueprint(database, actor.orgId, run.blueprint);
  return blueprint ? can(actor, 'read', blueprint) : isAdmin(actor);
}

/**
 * An event of an entity shows mirrors, names of teams and of related entities too. One of a run shows what anybody gave it
 * and wrote about it.
 */
async function findEventAuthors({ deps, actor: { orgId, model }, run }: Reading): Promise<readonly TextAuthor[]> {
  const { event, blueprint, entity } = run;
  if (event === null || !mayRead(run, ['event', 'diff'], noFacts)) return [];
  if (blueprint === null || entity === null) return [outside];
  const { action, trigger } = event as { readonly action?: unknown; readonly trigger?: { readonly at?: unknown } };
  const happened = { blueprint, entity, at: new Date(String(trigger?.at)), isDeletion: action === 'DELETE' };
  return findShownAuthors(deps.catalog, { orgId, model }, happened);
}

const noFacts: ReadonlySet<string> = new Set();
/** What is told of a person that nobody wrote as a text. An address is that of the person who signs in with it. */
const facts: ReadonlySet<string> = new Set([
  'id',
  'email',
  'phoneNumber',
  'picture',
  'providers',
  'status',
  'createdAt',
  'updatedAt',
]);

/** People do not write their names alone: administrators and integrations do as well. */
async function findNameAuthors({ deps, actor, run }: Reading): Promise<readonly TextAuthor[]> {
  if (run.createdByKind !== 'person' || !mayRead(run, ['trigger', 'by', 'user'], facts)) return [];
  return listNameAuthors(deps.database, actor, run.createdBy);
}

/** Whether templates of the action may read anything there but the members that are named. */
function mayRead({ action }: StoredRun, place: readonly string[], harmless: ReadonlySet<string>): boolean {
  const method: Values = action.definition.invocationMethod;
  // without a body of its author a receiver is given the whole context
  const isWhole = method['type'] !== 'UPSERT_ENTITY' && (method['body'] ?? method['payload'] ?? null) === null;
  const templates = isWhole ? undefined : listTemplates(method);
  return !templates || templates.some((each) => mayReadAt(each, place, harmless));
}

async function triggeredBy({ deps, actor: { orgId }, run }: Reading): Promise<Values> {
  if (run.createdByKind === 'system') return { orgId, byPort: true };
  if (run.createdByKind === 'machine') return { orgId, userId: run.createdBy };
  const facts = await findPersonFacts(deps.database, orgId, run.createdBy);
  if (!facts) return { orgId, userId: run.createdBy };
  const [firstName = '', ...rest] = (facts.title ?? '').split(' ');
  return {
    orgId,
    userId: facts.key,
    user: {
      id: facts.key,
      email: facts.identifier,
      firstName,
      lastName: rest.join(' '),
      phoneNumber: null,
      picture: null,
      providers: [],
      // webhook payloads write the status in capitals, entities do not (users-and-teams §1.6)
      status: facts.status.toUpperCase(),
      createdAt: facts.createdAt.toISOString(),
      updatedAt: facts.updatedAt.toISOString(),
    },
  };
}
