import type { Node } from './workflow-world.ts';

/** Numbers that follow from a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Steps in a row, with those outside it that undo them. */
export interface Row {
  readonly inRow: readonly Node[];
  readonly outside: readonly Node[];
}

export type Definition = { readonly nodes: readonly Node[]; readonly connections: readonly object[] };

/**
 * Workflows of a few steps at random: calls, writes, questions, waits and ends, and runs inside runs, with and without
 * steps that undo them. Names are given once, so that an effect says where in a workflow it stands.
 */
export function createRandomWorkflows(random: () => number) {
  let count = 0;
  const name = (kind: string) => {
    count += 1;
    return `${kind}_${count}`;
  };
  const chance = (part: number) => random() < part;
  const pick = <Each>(list: readonly Each[]): Each => list[Math.floor(random() * list.length)] as Each;
  const step = (kind: string, config: object, more: object = {}): Node => ({ identifier: name(kind), config, ...more });

  function changing(): Node {
    return chance(0.5)
      ? step('call', { type: 'WEBHOOK', url: 'http://example.com', ...(chance(0.3) ? { onFailure: 'continue' } : {}) })
      : step('entity', { type: 'UPSERT_ENTITY', blueprintIdentifier: 'x', mapping: {} });
  }

  function ask(): Node {
    return step('ask', {
      type: 'INPUT',
      userInputs: {
        properties: {},
        buttons: [
          { identifier: 'yes', label: 'Yes' },
          { identifier: 'no', label: 'No' },
        ],
      },
      outlets: [{ identifier: 'yes', title: 'Yes', evaluationMethod: 'button', numOfResponders: 1 }],
    });
  }

  function holding(depth: number, called: string | undefined): Node {
    const body = () => bodyAt(depth + 1, called);
    const goesOn = chance(0.3) ? { onFailure: 'continue' } : {};
    const kinds = ['MAP', 'MAP', 'PARALLEL', 'REPEAT', ...(called === undefined ? [] : ['RUN_WORKFLOW'])] as const;
    switch (pick(kinds)) {
      case 'MAP':
        return step('map', {
          type: 'MAP',
          items: ['a', 'b', 'c'].slice(0, 1 + Math.floor(random() * 3)),
          concurrency: 1 + Math.floor(random() * 2),
          onItemFailure: pick(['stop', 'continue']),
          body: body(),
          ...goesOn,
        });
      case 'PARALLEL':
        return step('parallel', { type: 'PARALLEL', branches: { one: body(), other: body() }, ...goesOn });
      case 'REPEAT':
        return step('repeat', {
          type: 'REPEAT',
          until: pick(['true', 'false']),
          maxRounds: 2,
          body: body(),
          ...goesOn,
        });
      default:
        return step('workflow', { type: 'RUN_WORKFLOW', workflowIdentifier: called, inputs: {}, ...goesOn });
    }
  }

  function row(depth: number, called: string | undefined): Row {
    const inRow: Node[] = [];
    const outside: Node[] = [];
    const length = 1 + Math.floor(random() * (depth === 0 ? 4 : 2));
    for (let index = 0; index < length; index += 1) {
      const kind = random();
      const node =
        kind < 0.45
          ? changing()
          : kind < 0.57
            ? ask()
            : kind < 0.62
              ? step('pause', { type: 'DELAY', seconds: 1 })
              : kind < 0.67
                ? step('event', { type: 'WAIT_FOR_EVENT', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'x' } })
                : kind < 0.95 && depth < 2
                  ? holding(depth, called)
                  : changing();
      const { type } = node['config'] as { type: string };
      if (['WEBHOOK', 'UPSERT_ENTITY', 'MAP', 'PARALLEL', 'REPEAT', 'RUN_WORKFLOW'].includes(type) && chance(0.5)) {
        const undo = changing();
        outside.push(undo);
        inRow.push({ ...node, compensatedBy: undo['identifier'] });
      } else inRow.push(node);
    }
    if (chance(depth === 0 ? 0.4 : 0.15)) inRow.push(step('stop', { type: 'STOP', result: 'FAILED' }));
    return { inRow, outside };
  }

  function connected(trigger: Node, { inRow, outside }: Row): Definition {
    const all = [trigger, ...inRow];
    const connections = inRow.map((node, index) => {
      const from = all[index] as Node;
      const isAsked = (from['config'] as { type: string }).type === 'INPUT';
      return {
        sourceIdentifier: from['identifier'],
        targetIdentifier: node['identifier'],
        ...(isAsked ? { sourceOutletIdentifier: 'yes' } : {}),
      };
    });
    return { nodes: [...all, ...outside], connections };
  }

  function bodyAt(depth: number, called: string | undefined): Definition {
    return connected({ identifier: 'item', config: { type: 'ITEM_TRIGGER' } }, row(depth, called));
  }

  return {
    /** One that may run another by its name. */
    workflow: (called?: string): Definition =>
      connected(
        { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
        row(called === undefined ? 1 : 0, called),
      ),
  };
}
