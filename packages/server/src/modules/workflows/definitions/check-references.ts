import { isRecord, toRecord } from '@portolan/contract/json-value';
import { analyse, JqError, replaceSingleQuotes } from '@portolan/jq';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { findUser, teamResolver } from '../../accounts/index.ts';
import { inputBlueprint, listActionIdentifiers } from '../../actions/index.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { getEntity } from '../../entities/index.ts';
import { findIntegration } from '../../integrations/index.ts';
import { listAllNodes } from './bodies.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { calledWorkflow } from './rules/body-rules.ts';
import { listExpressions } from './rules/expressions.ts';
import type { Placed, Warning } from './rules/fault.ts';
import { readForm } from './rules/node-rules.ts';
import { findCurrent } from './workflow.store.ts';
import type { WorkflowDefinition, WorkflowNode } from './workflow.ts';

type Kind = 'workflow' | 'blueprint' | 'user' | 'team' | 'agent' | 'integration' | 'secret' | 'action';

/** Something of the organization that a definition names by a static text. */
export interface Reference {
  readonly kind: Kind;
  readonly name: string;
  readonly at: string;
}

/** What of the organization's a workflow names; texts with `{{ }}` are known only to a run. */
function listReferences(definition: WorkflowDefinition): Reference[] {
  return listAllNodes(definition).flatMap(referencesOfNode);
}

function referencesOfNode(node: Placed<WorkflowNode>): Reference[] {
  const { config } = node.part;
  const place = `${node.at}/config`;
  const one = (kind: Kind, value: unknown, at: string): Reference[] =>
    typeof value === 'string' && value !== '' && !value.includes('{{')
      ? [{ kind, name: value, at: `${place}${at}` }]
      : [];
  const many = (kind: Kind, list: unknown, at: string): Reference[] =>
    Array.isArray(list) ? list.flatMap((each, index) => one(kind, each, `${at}/${index}`)) : [];
  const people = (key: string): Reference[] => {
    const lists = toRecord(config[key]);
    return [...many('user', lists['users'], `/${key}/users`), ...many('team', lists['teams'], `/${key}/teams`)];
  };
  const contexts = Array.isArray(config['contexts']) ? config['contexts'].map(toRecord) : [];
  const isDeferred = config['deferIntegrationInstallation'] === true;
  return [
    ...one('blueprint', config['blueprintIdentifier'], '/blueprintIdentifier'),
    ...one('blueprint', toRecord(config['event'])['blueprintIdentifier'], '/event/blueprintIdentifier'),
    ...contexts.flatMap((context, at) =>
      one('blueprint', context['blueprintIdentifier'], `/contexts/${at}/blueprintIdentifier`),
    ),
    ...Object.entries(readForm(config['userInputs'])?.properties ?? {}).flatMap(([key, input]) =>
      one('blueprint', inputBlueprint(input), `/userInputs/properties/${key}/blueprint`),
    ),
    ...one('blueprint', toRecord(config['query'])['blueprintIdentifier'], '/query/blueprintIdentifier'),
    ...one('workflow', calledWorkflow(node.part), '/workflowIdentifier'),
    ...people('permissions'),
    ...people('responders'),
    ...(config.type === 'RUN_ACTION' ? one('action', config['actionIdentifier'], '/actionIdentifier') : []),
    ...(config.type === 'WEBHOOK_TRIGGER' ? one('secret', config['secretName'], '/secretName') : []),
    ...(config.type === 'RUN_TRIGGER'
      ? one('action', toRecord(config['event'])['actionIdentifier'], '/event/actionIdentifier')
      : []),
    ...(config.type === 'AI_AGENT' ? one('agent', config['agentIdentifier'], '/agentIdentifier') : []),
    ...(config.type === 'INTEGRATION_ACTION' && !isDeferred
      ? one('integration', config['installationId'], '/installationId')
      : []),
    ...listSecretNames(node),
  ];
}

function listSecretNames(node: Placed<WorkflowNode>): Reference[] {
  return listExpressions(node).expressions.flatMap(({ at, source, reads }) =>
    reads === 'run' ? secretsIn(source).map((name): Reference => ({ kind: 'secret', name, at })) : [],
  );
}

function secretsIn(source: string): string[] {
  if (!source.includes('secrets')) return [];
  try {
    return analyse(replaceSingleQuotes(source)).reads.flatMap(({ path: [root, name] }) =>
      root === 'secrets' && typeof name === 'string' ? [name] : [],
    );
  } catch (error) {
    if (error instanceof JqError) return [];
    throw error;
  }
}

/** A warning for each static name that the organization does not have. Callers are administrators, who may list them all. */
export async function warnOfReferences(
  deps: DefinitionsDeps,
  actor: Actor,
  definition: WorkflowDefinition,
): Promise<Warning[]> {
  const references = listReferences(definition);
  const named = new Map<string, Reference>(references.map((each) => [nameReference(each), each]));
  const missing = new Set<string>();
  for (const kind of new Set(references.map((each) => each.kind))) {
    const ofKind = [...named.values()].filter((each) => each.kind === kind);
    for (const each of await without(deps, actor, kind, ofKind)) missing.add(nameReference(each));
  }
  return references
    .filter((each) => missing.has(nameReference(each)))
    .map(({ kind, name, at }) => ({
      path: at,
      code: 'unresolved_reference',
      message: `there is no ${kind} "${name}" in this organization`,
    }));
}

function nameReference({ kind, name }: Reference): string {
  return `${kind} ${name}`;
}

/** Those of one kind that are not there. */
async function without(
  { database, catalog, secrets }: DefinitionsDeps,
  actor: Actor,
  kind: Kind,
  references: readonly Reference[],
): Promise<readonly Reference[]> {
  const { orgId, model } = actor;
  const absent = async (isThere: (name: string) => Promise<boolean>): Promise<Reference[]> => {
    const found: Reference[] = [];
    for (const each of references) if (!(await isThere(each.name))) found.push(each);
    return found;
  };
  switch (kind) {
    case 'blueprint': {
      const known = new Set((await listBlueprintRows(database, orgId)).map(({ identifier }) => identifier));
      return references.filter(({ name }) => !known.has(name));
    }
    case 'team': {
      const resolve = await teamResolver(
        database,
        orgId,
        model,
        references.map(({ name }) => name),
      );
      return references.filter(({ name }) => resolve([name]).unresolved.length > 0);
    }
    case 'secret': {
      const known = await secrets.secretsOf(orgId, createSecretScope());
      return references.filter(({ name }) => !Object.hasOwn(known, name));
    }
    case 'action': {
      const known = await listActionIdentifiers(database, orgId);
      return references.filter(({ name }) => !known.has(name));
    }
    case 'user':
      return absent(async (name) => (await findUser(database, orgId, name)) !== undefined);
    case 'workflow':
      return absent(async (name) => (await findCurrent(database, orgId, name)) !== undefined);
    case 'integration':
      return absent(async (name) => (await findIntegration(database, orgId, name)) !== undefined);
    case 'agent':
      return absent((name) => isEntity(catalog, actor, '_ai_agent', name));
  }
}

async function isEntity(
  catalog: DefinitionsDeps['catalog'],
  actor: Actor,
  blueprint: string,
  identifier: string,
): Promise<boolean> {
  try {
    return isRecord(await getEntity(catalog, actor, blueprint, identifier));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
