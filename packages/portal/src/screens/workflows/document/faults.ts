import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../../kit/translate.ts';
import { type Definition, findNode, isBranching, isEnd, isTrigger, listOutlets, reachableFrom } from './definition.ts';

/** What is wrong, and where: a JSON pointer into the workflow. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  /** Saved nevertheless. */
  readonly isWarning?: boolean;
}

/** The faults of the graph itself, found while it is edited; the server finds those of its contents too. */
export function graphFaults(definition: Definition): readonly Fault[] {
  const { nodes, connections } = definition;
  const faults: Fault[] = [];
  const say = (path: string, message: string) => faults.push({ path, message });
  if (!nodes.some(isTrigger)) say('/nodes', t('A workflow needs at least one trigger'));
  const known = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const at = `/nodes/${index}`;
    if (node.identifier === '') say(`${at}/identifier`, t('A node needs an identifier'));
    if (known.has(node.identifier))
      say(`${at}/identifier`, t('Another node is called {name}', { name: node.identifier }));
    known.add(node.identifier);
    const names = listOutlets(node).map(({ identifier }) => identifier);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (isBranching(node) && twice !== undefined) {
      say(`${at}/config/outlets`, t('Two outlets are called {name}', { name: twice }));
    }
  }
  const taken = new Set<string>();
  for (const [index, connection] of connections.entries()) {
    const at = `/connections/${index}`;
    const { sourceIdentifier, targetIdentifier, sourceOutletIdentifier, fallback } = connection;
    const [source, target] = [findNode(definition, sourceIdentifier), findNode(definition, targetIdentifier)];
    if (!source) say(`${at}/sourceIdentifier`, t('There is no node {name}', { name: sourceIdentifier }));
    if (!target) say(`${at}/targetIdentifier`, t('There is no node {name}', { name: targetIdentifier }));
    if (!source || !target) continue;
    if (isTrigger(target)) say(`${at}/targetIdentifier`, t('Nothing can lead to a trigger'));
    if (reachableFrom(definition, targetIdentifier).has(sourceIdentifier)) {
      say(
        at,
        t('This leads in a circle: {source} follows {target}', { source: sourceIdentifier, target: targetIdentifier }),
      );
    }
    const way = `${sourceIdentifier}\n${fallback ? '' : (sourceOutletIdentifier ?? '')}\n${fallback === true}`;
    if (taken.has(way)) say(at, t('{name} leads on twice on the same way', { name: sourceIdentifier }));
    taken.add(way);
    if (isEnd(source)) say(at, t('The run ends at {name}; nothing can follow', { name: sourceIdentifier }));
    if (!isBranching(source)) {
      if (sourceOutletIdentifier || fallback)
        say(at, t('{name} has one way out, without outlets', { name: sourceIdentifier }));
      continue;
    }
    if (fallback && source.config.type !== 'CONDITION')
      say(`${at}/fallback`, t('Only a condition has a way for all other cases'));
    if (!fallback && !listOutlets(source).some(({ identifier }) => identifier === sourceOutletIdentifier)) {
      say(`${at}/sourceOutletIdentifier`, t('{name} has no such outlet', { name: sourceIdentifier }));
    }
  }
  return faults;
}

/** The faults of one node, each with its place within the node: `/config/url`. Connections count to their source. */
export function faultsAt(definition: Definition, faults: readonly Fault[], identifier: string): readonly Fault[] {
  const index = definition.nodes.findIndex((node) => node.identifier === identifier);
  return faults.flatMap((fault) => {
    const [, list, place = '', ...rest] = fault.path.split('/');
    if (list === 'nodes' && Number(place) === index && place !== '') return [{ ...fault, path: `/${rest.join('/')}` }];
    if (list !== 'connections' || place === '') return [];
    return definition.connections[Number(place)]?.sourceIdentifier === identifier ? [{ ...fault, path: '' }] : [];
  });
}

/** The faults of the workflow itself, which stand at no node. */
export function ownFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(({ path }) => !/^\/(nodes|connections)\/\d+/.test(path));
}

/** A text as a workflow, or why it is none. What the rules say about its contents is the server's. */
export function readDefinition(text: string): { readonly draft: Definition } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value)) return { problem: t('A workflow is an object') };
  const { identifier, nodes, connections } = value;
  if (typeof identifier !== 'string') return { problem: t('"identifier" must be a text') };
  const areNodes =
    Array.isArray(nodes) &&
    nodes.every(
      (node) =>
        isRecord(node) &&
        typeof node['identifier'] === 'string' &&
        isRecord(node['config']) &&
        typeof node['config']['type'] === 'string',
    );
  if (!areNodes) return { problem: t('"nodes" must be a list of { "identifier": …, "config": { "type": … } }') };
  const areConnections =
    Array.isArray(connections) &&
    connections.every(
      (each) =>
        isRecord(each) && typeof each['sourceIdentifier'] === 'string' && typeof each['targetIdentifier'] === 'string',
    );
  if (!areConnections) {
    return { problem: t('"connections" must be a list of { "sourceIdentifier": …, "targetIdentifier": … }') };
  }
  return { draft: value as unknown as Definition };
}
