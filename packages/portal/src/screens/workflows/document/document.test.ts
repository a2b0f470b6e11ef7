import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeCards } from '../../../parts/graph/place-cards.ts';
import {
  connectionWay,
  type Definition,
  isTrigger,
  listOutlets,
  listWays,
  only,
  type WorkflowNode,
  wayKey,
} from './definition.ts';
import {
  addAfter,
  addBranch,
  addTrigger,
  changeType,
  connect,
  freshName,
  listButtons,
  obstacleTo,
  removeNode,
  removeOutlet,
  renameNode,
  renameOutlet,
  reorderOutlet,
} from './edits.ts';
import { graphFaults, readDefinition } from './faults.ts';
import { outline } from './outline.ts';
import { picture } from './picture.ts';
import { outputsRead } from './references.ts';

const start: Definition = {
  identifier: 'w',
  nodes: [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: {} } } },
    { identifier: 'call', config: { type: 'WEBHOOK', url: 'https://a.example/{{ .outputs.form.name }}' } },
  ],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'call' }],
};

/** An edit as numbers, which choose among what the workflow has at that moment. */
interface Edit {
  readonly kind: number;
  readonly one: number;
  readonly other: number;
  readonly type: number;
}

const types = ['WEBHOOK', 'UPSERT_ENTITY', 'CONDITION', 'INPUT', 'DELAY', 'STOP', 'TRANSFORM'];

function freshConfig(type: string): WorkflowNode['config'] {
  if (type === 'CONDITION') return { type, outlets: [{ identifier: 'yes', expression: 'true' }] };
  if (type === 'INPUT') {
    return {
      type,
      userInputs: { properties: {}, buttons: [{ identifier: 'approve' }, { identifier: 'decline' }] },
      outlets: [{ identifier: 'approve' }, { identifier: 'decline' }],
    };
  }
  return { type };
}

function pick<Item>(list: readonly Item[], at: number): Item | undefined {
  return list[at % Math.max(1, list.length)];
}

/** One random edit, as somebody makes it by the list, the canvas or the form. */
function edited(definition: Definition, { kind, one, other, type }: Edit): Definition {
  const { nodes } = definition;
  const names = nodes.map(({ identifier }) => identifier);
  const node = pick(nodes, one);
  if (!node) return definition;
  const ways = listWays(node);
  const way = pick(ways, other);
  const made: WorkflowNode = {
    identifier: freshName(`step${type}`, names),
    config: freshConfig(pick(types, type) ?? 'DELAY'),
    variables: { of: `{{ .outputs.${pick(names, other)} }}` },
  };
  switch (kind % 10) {
    case 0:
    case 1:
    case 2:
      return way ? addAfter(definition, { after: node.identifier, way }, made) : definition;
    case 3:
      return removeNode(definition, node.identifier);
    case 4: {
      const target = pick(names, other) ?? '';
      if (!way || obstacleTo(definition, node.identifier, target)) return definition;
      return connect(definition, node.identifier, way, target);
    }
    case 5:
      return way ? connect(definition, node.identifier, way, undefined) : definition;
    case 6:
      return addBranch(definition, node.identifier);
    case 7: {
      const outlet = pick(listOutlets(node), other)?.identifier ?? '';
      return type % 2 === 0
        ? reorderOutlet(definition, node.identifier, outlet, type % 4 === 0 ? 1 : -1)
        : removeOutlet(renameOutlet(definition, node.identifier, outlet, `o${type}`), node.identifier, `p${type}`);
    }
    case 8:
      return renameNode(definition, node.identifier, freshName(`name${other}`, names));
    default:
      return isTrigger(node)
        ? addTrigger(definition, {
            identifier: freshName('tick', names),
            config: { type: 'SCHEDULE_TRIGGER', cron: '@daily' },
          })
        : changeType(definition, node.identifier, freshConfig(pick(types, type) ?? 'DELAY'));
  }
}

/** The nodes that the templates of the test read. */
const readNames = ({ nodes }: Definition): readonly string[] =>
  nodes.flatMap(({ variables, config }) => outputsRead(`${Object.values(variables ?? {})} ${config['url']}`));

const sorted = (list: readonly string[]) => [...list].sort();

/** The connections as the document says them. */
function written({ connections }: Definition): readonly string[] {
  return sorted(
    connections.map((each) => `${each.sourceIdentifier} ${wayKey(connectionWay(each))} ${each.targetIdentifier}`),
  );
}

/** The connections as the list says them. */
function listed(definition: Definition): readonly string[] {
  return sorted(
    outline(definition).flatMap((line) => {
      if (line.kind === 'node')
        return line.from ? [`${line.from.source} ${wayKey(line.from.way)} ${line.node.identifier}`] : [];
      return line.kind === 'jump' ? [`${line.from.source} ${wayKey(line.from.way)} ${line.target}`] : [];
    }),
  );
}

/** Whether the graph follows the rules, said in another way than the editor says it. */
function isSound({ nodes, connections }: Definition): boolean {
  const byName = new Map(nodes.map((node) => [node.identifier, node]));
  if (byName.size !== nodes.length || !nodes.some(isTrigger)) return false;
  const ways = connections.map((each) => `${each.sourceIdentifier} ${wayKey(connectionWay(each))}`);
  if (new Set(ways).size !== ways.length) return false;
  const isEachAllowed = connections.every((each) => {
    const [source, target] = [byName.get(each.sourceIdentifier), byName.get(each.targetIdentifier)];
    if (!source || !target || isTrigger(target)) return false;
    return listWays(source).some((way) => wayKey(way) === wayKey(connectionWay(each)));
  });
  // without circles, nodes that nothing leads to can be taken away until none is left
  let left = connections;
  let names = new Set(byName.keys());
  while (names.size > 0) {
    const free = [...names].filter((name) => !left.some(({ targetIdentifier }) => targetIdentifier === name));
    if (free.length === 0) return false;
    names = new Set([...names].filter((name) => !free.includes(name)));
    left = left.filter(({ sourceIdentifier }) => !free.includes(sourceIdentifier));
  }
  return isEachAllowed;
}

describe('after 500 random edits', () => {
  const number = fc.nat({ max: 997 });
  const edit = fc.record({ kind: number, one: number, other: number, type: number });

  test('list, canvas and JSON are the same graph, which is sound or has a named fault', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 500, maxLength: 500 }), (edits) => {
        let definition = start;
        for (const [count, each] of edits.entries()) {
          // as large as workflows may be, but no larger
          if (definition.nodes.length > 60)
            definition = removeNode(definition, definition.nodes.at(-1)?.identifier ?? '');
          definition = edited(definition, each);
          expect(isSound(definition) || graphFaults(definition).length > 0).toBe(true);
          expect(isSound(definition) && graphFaults(definition).length > 0).toBe(false);
          if (count % 10 !== 0) continue;
          const names = sorted(definition.nodes.map(({ identifier }) => identifier));
          const lines = outline(definition).flatMap((line) => (line.kind === 'node' ? [line.node.identifier] : []));
          expect(sorted(lines)).toEqual(names);
          expect(listed(definition)).toEqual(written(definition));
          const drawn = picture(definition);
          expect(sorted(drawn.request.nodes.map(({ id }) => id))).toEqual(names);
          expect(written({ ...definition, connections: drawn.connections })).toEqual(written(definition));
          const read = readDefinition(JSON.stringify(definition, null, 2));
          expect('draft' in read && isDeepStrictEqual(read.draft, definition)).toBe(true);
        }
        const { places } = placeCards(picture(definition).request);
        expect(Object.keys(places)).toHaveLength(definition.nodes.length);
      }),
      { numRuns: 4 },
    );
  }, 60_000);

  test('no rename leaves a template that reads a node by its old name', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 60 }), number, (edits, at) => {
        const definition = edits.reduce(edited, start);
        const node = pick(definition.nodes, at);
        if (!node) return;
        const renamed = renameNode(definition, node.identifier, 'another-name');
        expect(readNames(renamed)).not.toContain(node.identifier);
        expect(readNames(renamed).length).toBe(readNames(definition).length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('one edit', () => {
  const chain = addAfter(start, { after: 'call', way: only }, { identifier: 'ask', config: freshConfig('INPUT') });

  test('a removed step is healed: what led to it leads to what followed', () => {
    const three = addAfter(
      chain,
      { after: 'ask', way: { outlet: 'approve' } },
      { identifier: 'go', config: { type: 'DELAY' } },
    );
    expect(written(removeNode(three, 'ask'))).toEqual(['call only go', 'form only call']);
  });

  test('a way never leads back to what led to it, nor to a trigger', () => {
    expect(obstacleTo(chain, 'ask', 'call')).toBe('circle');
    expect(obstacleTo(chain, 'ask', 'form')).toBe('trigger');
    expect(obstacleTo(chain, 'ask', 'gone')).toBe('unknown');
  });

  test('a branch of an input is a button too, and both go together', () => {
    const more = addBranch(chain, 'ask');
    const counts = ({ nodes }: Definition) =>
      nodes.slice(2).map((node) => [listOutlets(node).length, listButtons(node).length]);
    expect(counts(more)).toEqual([[3, 3]]);
    expect(counts(removeOutlet(more, 'ask', 'outlet'))).toEqual([[2, 2]]);
  });

  test('templates follow a renamed node, quoted where its name is no word', () => {
    const renamed = renameNode(start, 'form', 'the-form');
    expect(renamed.nodes[1]?.config['url']).toBe('https://a.example/{{ .outputs["the-form"].name }}');
    expect(renameNode(renamed, 'the-form', 'form')).toEqual(start);
  });

  test('a node written into a circle by hand is named where it closes', () => {
    const circle = {
      ...chain,
      connections: [
        ...chain.connections,
        { sourceIdentifier: 'ask', targetIdentifier: 'call', sourceOutletIdentifier: 'approve' },
      ],
    };
    expect(graphFaults(circle).map(({ path }) => path)).toContain('/connections/2');
    expect(listed(circle)).toEqual(written(circle));
  });
});
