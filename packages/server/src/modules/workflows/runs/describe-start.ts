import { isRecord, toRecord } from '@portolan/contract/json-value';
import { createGraph } from '../definitions/graph.ts';
import type { WorkflowDefinition, WorkflowNode } from '../definitions/workflow.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

type StartFacts = Pick<StoredWorkflowRun, 'triggerKind' | 'blueprint' | 'entity'>;

/** What a run is found by: its kind of trigger, and the entity of its event or of its form. */
export function describeStart(
  definition: WorkflowDefinition,
  triggerNode: string,
  trigger: Readonly<Record<string, unknown>>,
): StartFacts {
  const node = createGraph(definition).node(triggerNode);
  const { blueprint = null, entity = null } = (node && (ofEvent(trigger) ?? ofForm(node, trigger))) ?? {};
  return { triggerKind: node?.config.type ?? null, blueprint, entity };
}

interface About {
  readonly blueprint: string;
  readonly entity: string;
}

function ofEvent(trigger: Readonly<Record<string, unknown>>): About | undefined {
  const { blueprintIdentifier: blueprint, entityIdentifier: entity } = toRecord(trigger['context']);
  return typeof blueprint === 'string' && typeof entity === 'string' ? { blueprint, entity } : undefined;
}

/** The entity that the form is opened from, or the only one that it asks for. */
function ofForm({ config }: WorkflowNode, values: Readonly<Record<string, unknown>>): About | undefined {
  const properties = toRecord(toRecord(config['userInputs'])['properties']);
  const asked = Object.entries(properties).flatMap(([name, input]) =>
    isRecord(input) && input['format'] === 'entity' ? [name] : [],
  );
  const contexts = Array.isArray(config['contexts']) ? config['contexts'].filter(isRecord) : [];
  const named = contexts.find(({ on }) => on === 'ENTITY')?.['userInput'];
  const name = typeof named === 'string' ? named : asked.length === 1 ? asked[0] : undefined;
  if (name === undefined) return undefined;
  const blueprint = toRecord(properties[name])['blueprint'];
  const entity = values[name];
  return typeof blueprint === 'string' && typeof entity === 'string' ? { blueprint, entity } : undefined;
}
