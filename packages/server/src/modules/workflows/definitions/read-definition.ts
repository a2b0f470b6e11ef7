import { isRecord } from '@portolan/contract/json-value';
import { nodeTypes, workflowNode } from '@portolan/contract/workflow-nodes';
import { workflowBody, workflowConnection, workflowNodesMax } from '@portolan/contract/workflows';
import { z } from 'zod';
import { toIssues } from '../../../platform/http/issues.ts';
import type { Fault, Placed, Readable } from './rules/fault.ts';
import { fault } from './rules/graph-rules.ts';
import type { WorkflowConnection, WorkflowNode } from './workflow.ts';

type Written = Readonly<Record<string, unknown>>;

/** What answers add to a workflow; clients send it back. */
const added = new Set(['id', 'version', 'versionIdentifier', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy']);

/**
 * The workflow as it is stored: without what answers add, and with today's names of what the beta of the public API
 * called otherwise. Everything else stays as written, in the author's order.
 */
export function readDefinition(body: Written): Written {
  const kept = Object.entries(body).filter(([key]) => !added.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === 'nodes' && Array.isArray(value)) return [key, value.map(readNode)];
      if (key === 'connections' && Array.isArray(value)) return [key, value.map(readConnection)];
      return [key, value];
    }),
  );
}

function readNode(node: unknown): unknown {
  if (!isRecord(node) || !isRecord(node['config'])) return node;
  const { config } = node;
  if (config['type'] !== 'CONDITION' && config['type'] !== 'INPUT') return node;
  return { ...node, config: renamed(config, 'options', 'outlets') };
}

function readConnection(connection: unknown): unknown {
  return isRecord(connection) ? renamed(connection, 'sourceOptionIdentifier', 'sourceOutletIdentifier') : connection;
}

function renamed(record: Written, old: string, name: string): Written {
  if (!(old in record) || name in record) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === old ? name : key, value]));
}

const bodyOfStep = z.looseObject({
  nodes: z.array(workflowNode).min(1).max(workflowNodesMax),
  connections: z.array(workflowConnection).max(1000).nullish(),
});

/** The same of a body that stands inside a step. */
export function checkBodyShape(body: Written, at: string): Fault[] {
  return checkShape(body, bodyOfStep).map((each) => ({ ...each, path: `${at}${each.path}` }));
}

/** Faults of the shape: keys that are missing, values of another type, and forms that are gone. */
export function checkShape(definition: Written, schema: z.ZodType = workflowBody): Fault[] {
  const types = listUnknownTypes(definition);
  const parsed = schema.safeParse(definition);
  const issues = parsed.success ? [] : toIssues(parsed.error, definition);
  const told = new Set(types.flatMap(({ path }) => [path, path.replace(/\/type$/, '')]));
  return [
    ...types,
    ...issues.filter(({ path }) => !told.has(path)).map(({ path, message }) => fault(path, 'shape', message)),
    ...listOldForms(definition),
  ];
}

function listUnknownTypes({ nodes }: Written): Fault[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node, at) => {
    const type = isRecord(node) && isRecord(node['config']) ? node['config']['type'] : undefined;
    if (typeof type !== 'string' || nodeTypes.some((each) => each === type)) return [];
    return [
      fault(`/nodes/${at}/config/type`, 'shape', `"${type}" is no type of node; there are ${nodeTypes.join(', ')}`),
    ];
  });
}

/** Conditions of the beta: their ways stood in the node and now are connections. */
function listOldForms({ nodes }: Written): Fault[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node, at) => {
    const config = isRecord(node) && isRecord(node['config']) ? node['config'] : {};
    if (config['type'] !== 'CONDITION') return [];
    return ['conditions', 'defaultConnectionIdentifier']
      .filter((key) => key in config)
      .map((key) =>
        fault(
          `/nodes/${at}/config/${key}`,
          'old_form',
          'is an older form: write "outlets": [{"identifier", "expression"}], and on each connection "sourceOutletIdentifier" or "fallback": true',
        ),
      );
  });
}

/** The nodes and connections that can be told apart, whatever is wrong with others. */
export function readableParts({ nodes, connections }: Written, at = ''): Readable {
  return {
    nodes: placed(nodes, `${at}/nodes`, isNode),
    connections: placed(connections, `${at}/connections`, isConnection),
  };
}

function placed<Part>(list: unknown, at: string, isPart: (part: unknown) => part is Part): Placed<Part>[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((part, index) => (isPart(part) ? [{ at: `${at}/${index}`, part }] : []));
}

function isNode(node: unknown): node is WorkflowNode {
  if (!isRecord(node) || typeof node['identifier'] !== 'string' || !isRecord(node['config'])) return false;
  return nodeTypes.some((type) => type === (node['config'] as Written)['type']);
}

function isConnection(connection: unknown): connection is WorkflowConnection {
  return (
    isRecord(connection) &&
    typeof connection['sourceIdentifier'] === 'string' &&
    typeof connection['targetIdentifier'] === 'string'
  );
}
