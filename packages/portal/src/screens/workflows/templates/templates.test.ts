import { workflowBody } from '@portolan/contract/workflows';
import { describe, expect, test } from 'vitest';
import { listPreceding } from '../document/definition.ts';
import { graphFaults } from '../document/faults.ts';
import { outputsRead } from '../document/references.ts';
import { templates } from './templates.ts';

describe.each(templates.map(({ key, definition }) => [key, definition] as const))(
  'the template %s',
  (_key, definition) => {
    test('is a workflow that the contract takes, without a fault in its graph', () => {
      expect(workflowBody.safeParse(definition).error?.issues ?? []).toEqual([]);
      expect(graphFaults(definition)).toEqual([]);
    });

    test('reads only outputs of steps that ran before', () => {
      for (const node of definition.nodes) {
        // a step that undoes another reads what that one read, and what it gave
        const undone = definition.nodes.find(({ compensatedBy }) => compensatedBy === node.identifier);
        const before = ['trigger', ...listPreceding(definition, (undone ?? node).identifier), undone?.identifier];
        const texts = JSON.stringify(node.config).replaceAll('\\"', '"');
        for (const name of outputsRead(texts)) expect(before).toContain(name);
      }
    });
  },
);

test('every template has a key and an identifier of its own', () => {
  expect(new Set(templates.map(({ key }) => key)).size).toBe(templates.length);
  expect(new Set(templates.map(({ definition }) => definition.identifier)).size).toBe(templates.length);
});
