import {
  type Connection,
  connectionAt,
  connectionWay,
  type Definition,
  findNode,
  findTarget,
  isBranching,
  isEnd,
  isSameWay,
  isTrigger,
  listOutlets,
  listWays,
  type NodeConfig,
  type Outlet,
  only,
  reachableFrom,
  type Way,
  type WorkflowNode,
} from './definition.ts';
import { renameInTemplates } from './references.ts';

/** Where something new is put: on a way out of a node. */
export interface Place {
  readonly after: string;
  readonly way: Way;
}

/** Puts a node on a way; what followed there follows the new node, on its first way. A stop ends the way. */
export function addAfter(definition: Definition, { after, way }: Place, node: WorkflowNode): Definition {
  const before = findTarget(definition, after, way);
  const first = listWays(node)[0];
  const added: Definition = { ...definition, nodes: withNodeAfter(definition.nodes, after, node) };
  const led = connect(added, after, way, node.identifier);
  return before === undefined || first === undefined ? led : connect(led, node.identifier, first, before);
}

/** Adds a trigger; it leads to what the other triggers lead to. */
export function addTrigger(definition: Definition, node: WorkflowNode): Definition {
  const triggers = definition.nodes.filter(isTrigger);
  const first = triggers.map(({ identifier }) => findTarget(definition, identifier, only)).find(Boolean);
  const rest = definition.nodes.filter((each) => !isTrigger(each));
  const added: Definition = { ...definition, nodes: [...triggers, node, ...rest] };
  const start = first ?? firstStep(definition);
  return start === undefined ? added : connect(added, node.identifier, only, start);
}

function firstStep({ nodes, connections }: Definition): string | undefined {
  return nodes.find(
    (node) => !isTrigger(node) && !connections.some(({ targetIdentifier }) => targetIdentifier === node.identifier),
  )?.identifier;
}

function withNodeAfter(nodes: readonly WorkflowNode[], after: string, node: WorkflowNode): readonly WorkflowNode[] {
  const at = nodes.findIndex(({ identifier }) => identifier === after);
  return at < 0 ? [...nodes, node] : [...nodes.slice(0, at + 1), node, ...nodes.slice(at + 1)];
}

/** Sets what follows on a way; undefined ends it. What else is written at the connection is kept. */
export function connect(definition: Definition, source: string, way: Way, target: string | undefined): Definition {
  const { connections } = definition;
  const known = connectionAt(definition, source, way);
  if (target === undefined) return { ...definition, connections: connections.filter((each) => each !== known) };
  if (known) {
    const moved = connections.map((each) => (each === known ? { ...each, targetIdentifier: target } : each));
    return { ...definition, connections: moved };
  }
  const made: Connection = {
    sourceIdentifier: source,
    targetIdentifier: target,
    ...('outlet' in way ? { sourceOutletIdentifier: way.outlet } : {}),
    ...('fallback' in way ? { fallback: true } : {}),
  };
  return { ...definition, connections: [...connections, made] };
}

/** Why a way cannot lead to a node; undefined if it can. */
export type Obstacle = 'trigger' | 'circle' | 'unknown';

export function obstacleTo(definition: Definition, source: string, target: string): Obstacle | undefined {
  const node = findNode(definition, target);
  if (!node || !findNode(definition, source)) return 'unknown';
  if (isTrigger(node)) return 'trigger';
  return reachableFrom(definition, target).has(source) ? 'circle' : undefined;
}

/** The nodes to which a way of this node can lead. */
export function possibleTargets(definition: Definition, source: string): readonly WorkflowNode[] {
  return definition.nodes.filter(({ identifier }) => obstacleTo(definition, source, identifier) === undefined);
}

/** Removes a node; what led to it leads to what followed it, on its first way that leads anywhere. */
export function removeNode(definition: Definition, identifier: string): Definition {
  const node = findNode(definition, identifier);
  if (!node) return definition;
  const next = listWays(node)
    .map((way) => findTarget(definition, identifier, way))
    .find((target) => target !== undefined);
  const healed = definition.connections.flatMap((each) => {
    if (each.sourceIdentifier === identifier) return [];
    if (each.targetIdentifier !== identifier) return [each];
    return next === undefined || next === identifier ? [] : [{ ...each, targetIdentifier: next }];
  });
  return {
    ...definition,
    nodes: definition.nodes.flatMap((each) => {
      if (each === node) return [];
      if (each.compensatedBy !== identifier) return [each];
      const { compensatedBy: _, ...kept } = each;
      return [kept];
    }),
    connections: healed,
  };
}

/** Changes a node in place; its identifier stays. Ways that it no longer has lose their connections. */
export function changeNode(definition: Definition, identifier: string, changed: WorkflowNode): Definition {
  const node = { ...changed, identifier };
  const ways = listWays(node);
  return {
    ...definition,
    nodes: definition.nodes.map((each) => (each.identifier === identifier ? node : each)),
    connections: definition.connections.filter(
      (each) => each.sourceIdentifier !== identifier || ways.some((way) => isSameWay(way, connectionWay(each))),
    ),
  };
}

/** Gives a node another type; the only way of the old leads on from the first of the new. */
export function changeType(definition: Definition, identifier: string, config: NodeConfig): Definition {
  const node = findNode(definition, identifier);
  if (!node) return definition;
  const next = listWays(node)
    .map((way) => findTarget(definition, identifier, way))
    .find((target) => target !== undefined);
  const cut = changeNode(definition, identifier, { ...node, config });
  const first = listWays({ ...node, config })[0];
  if (next === undefined || first === undefined || isEnd({ ...node, config })) return cut;
  return findTarget(cut, identifier, first) === undefined ? connect(cut, identifier, first, next) : cut;
}

/** Renames a node everywhere: in its connections, and in the templates that read its output. */
export function renameNode(definition: Definition, from: string, to: string): Definition {
  if (from === to || to === '' || findNode(definition, to) || !findNode(definition, from)) return definition;
  const name = (each: string) => (each === from ? to : each);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      const { compensatedBy } = node;
      const undoing = compensatedBy === from ? { compensatedBy: to } : {};
      return renameInTemplates({ ...node, ...undoing, identifier: name(node.identifier) }, from, to);
    }),
    connections: definition.connections.map((each) => ({
      ...each,
      sourceIdentifier: name(each.sourceIdentifier),
      targetIdentifier: name(each.targetIdentifier),
    })),
  };
}

/** Adds an outlet to a branching node: a further question of a condition, a further button of an input. */
export function addBranch(definition: Definition, identifier: string): Definition {
  const node = findNode(definition, identifier);
  if (!node || !isBranching(node)) return definition;
  const outlets = listOutlets(node);
  const name = freshName(
    'outlet',
    outlets.map((each) => each.identifier),
  );
  if (node.config.type === 'CONDITION') {
    const outlet: Outlet = { identifier: name, expression: 'false' };
    return changeNode(definition, identifier, withConfig(node, { outlets: [...outlets, outlet] }));
  }
  const form = listButtons(node);
  const unused = form.find((button) => !outlets.some((each) => each.identifier === button.identifier));
  const outlet: Outlet = { identifier: unused?.identifier ?? name, evaluationMethod: 'button', numOfResponders: 1 };
  const buttons = unused ? form : [...form, { identifier: name, label: name }];
  return changeNode(definition, identifier, withButtons(withConfig(node, { outlets: [...outlets, outlet] }), buttons));
}

/** Moves an outlet up or down; of a condition, the first that is true is taken. */
export function reorderOutlet(definition: Definition, identifier: string, outlet: string, by: -1 | 1): Definition {
  const node = findNode(definition, identifier);
  if (!node) return definition;
  const outlets = [...listOutlets(node)];
  const at = outlets.findIndex((each) => each.identifier === outlet);
  const [moved, other] = [outlets[at], outlets[at + by]];
  if (!moved || !other) return definition;
  outlets[at] = other;
  outlets[at + by] = moved;
  return changeNode(definition, identifier, withConfig(node, { outlets }));
}

/** Removes an outlet and its connection; the button of an input goes with it. */
export function removeOutlet(definition: Definition, identifier: string, outlet: string): Definition {
  const node = findNode(definition, identifier);
  if (!node) return definition;
  const outlets = listOutlets(node).filter((each) => each.identifier !== outlet);
  const changed = withConfig(node, { outlets });
  const kept = listButtons(node).filter((each) => each.identifier !== outlet);
  return changeNode(definition, identifier, node.config.type === 'INPUT' ? withButtons(changed, kept) : changed);
}

/** Renames an outlet, its button and its connection. */
export function renameOutlet(definition: Definition, identifier: string, from: string, to: string): Definition {
  const node = findNode(definition, identifier);
  if (!node || to === '' || from === to || listOutlets(node).some((each) => each.identifier === to)) return definition;
  const named = <Named extends { readonly identifier: string }>(each: Named): Named =>
    each.identifier === from ? { ...each, identifier: to } : each;
  const changed = withConfig(node, { outlets: listOutlets(node).map(named) });
  const next = node.config.type === 'INPUT' ? withButtons(changed, listButtons(node).map(named)) : changed;
  return {
    ...definition,
    nodes: definition.nodes.map((each) => (each === node ? next : each)),
    connections: definition.connections.map((each) =>
      each.sourceIdentifier === identifier && each.sourceOutletIdentifier === from
        ? { ...each, sourceOutletIdentifier: to }
        : each,
    ),
  };
}

/** A name that is not taken: `webhook`, `webhook_2`. */
export function freshName(base: string, taken: readonly string[]): string {
  if (!taken.includes(base)) return base;
  let count = 2;
  while (taken.includes(`${base}_${count}`)) count += 1;
  return `${base}_${count}`;
}

export interface Button {
  readonly identifier: string;
  readonly label?: string | null;
  readonly variant?: string | null;
  readonly [key: string]: unknown;
}

export function listButtons({ config }: WorkflowNode): readonly Button[] {
  const { buttons } = (config['userInputs'] ?? {}) as { buttons?: unknown };
  return Array.isArray(buttons) ? (buttons as Button[]) : [];
}

export function withConfig(node: WorkflowNode, part: Readonly<Record<string, unknown>>): WorkflowNode {
  return { ...node, config: { ...node.config, ...part } };
}

export function withButtons(node: WorkflowNode, buttons: readonly Button[]): WorkflowNode {
  const form = (node.config['userInputs'] ?? { properties: {} }) as Readonly<Record<string, unknown>>;
  return withConfig(node, { userInputs: { ...form, buttons } });
}
