import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createToolRegistry, selectTools, toolNameProblem } from './registry.ts';
import { type ToolDeclaration, type ToolEffect, tool } from './tool.ts';
import { matchToolPattern } from './tool-patterns.ts';

function declare(name: string, effect: ToolEffect = 'read', aliases: string[] = []): ToolDeclaration {
  return tool({
    name,
    title: name,
    description: name,
    effect,
    audience: 'developer',
    aliases,
    input: z.strictObject({ limit: z.number().default(5) }),
    run: async () => ({}),
  });
}

function select(patterns: string[], tools = ['search_entities', 'list_entities', 'run_x', 'count_entities']) {
  const registry = createToolRegistry(
    tools.map((name) =>
      declare(name, name.startsWith('run_') ? 'write' : 'read', name === 'list_entities' ? ['get_entities'] : []),
    ),
  );
  const problems: string[] = [];
  const selected = selectTools(registry.tools, patterns, {
    matches: matchToolPattern,
    onProblem: (pattern) => problems.push(pattern),
  });
  return { names: selected.map(({ declaration }) => declaration.name), problems };
}

describe('the registry', () => {
  test('orders tools by name, finds aliases, and prepares schemas of what callers send', () => {
    const registry = createToolRegistry([declare('b'), declare('a', 'read', ['get_a'])]);
    expect(registry.tools.map(({ declaration }) => declaration.name)).toEqual(['a', 'b']);
    expect(registry.find('get_a')?.declaration.name).toBe('a');
    expect(registry.find('c')).toBeUndefined();
    expect(registry.tools[0]!.inputSchema).toEqual({
      type: 'object',
      properties: { limit: { type: 'number', default: 5 } },
      additionalProperties: false,
    });
  });

  test('writes named schemas out, with the description of the place where they are used', () => {
    interface Node {
      readonly children?: readonly Node[] | undefined;
    }
    const node: z.ZodType<Node> = z
      .lazy(() => z.object({ children: z.array(node).optional() }))
      .meta({ id: 'RegistryTestNode', description: 'a node' });
    const declared = tool({ ...declare('get_tree'), input: z.strictObject({ root: node.describe('the root') }) });
    const [registered] = createToolRegistry([declared]).tools;
    const schema = JSON.stringify(registered!.inputSchema);
    expect(schema).not.toContain('$ref');
    expect(schema).not.toContain('definitions');
    expect(registered!.inputSchema['properties']).toMatchObject({
      root: { type: 'object', description: 'the root', properties: { children: { type: 'array' } } },
    });
  });

  test('refuses a name or alias that is taken', () => {
    expect(() => createToolRegistry([declare('a'), declare('a')])).toThrow('Two tools are named a');
    expect(() => createToolRegistry([declare('a'), declare('b', 'read', ['a'])])).toThrow('Two tools are named a');
  });

  test.each([
    ['list_x', 'write'],
    ['describe_x', 'destructive'],
    ['run_x', 'read'],
    ['has space', 'read'],
  ] as const)('refuses %s with effect %s', (name, effect) => {
    expect(toolNameProblem(declare(name, effect))).toBeTruthy();
    expect(() => createToolRegistry([declare(name, effect)])).toThrow(name);
  });

  test.each([
    ['list_x', 'read'],
    ['run_x', 'write'],
    ['run_x', 'destructive'],
    ['count_x', 'read'],
    ['upsert_x', 'write'],
  ] as const)('takes %s with effect %s', (name, effect) => {
    expect(toolNameProblem(declare(name, effect))).toBeUndefined();
  });
});

describe('selectTools', () => {
  test('is the union of the patterns, in the order of the tools', () => {
    expect(select(['^run_.*', '^search']).names).toEqual(['run_x', 'search_entities']);
  });
  test('selects nothing for no patterns', () => {
    expect(select([]).names).toEqual([]);
  });
  test.each(['get_entities', '^get_entities', '^get_entities$', '^(other|get_entities)$', '(?:get_entities)'])(
    'takes an alias that is written out: %s',
    (pattern) => {
      expect(select([pattern]).names).toEqual(['list_entities']);
    },
  );
  test.each(['^get_.*', 'get_', '^(list_nothing|get_.*)', 'g.*_entitie', '^get_entit[a-z]+$'])(
    'never reaches a tool by a pattern over its aliases: %s',
    (pattern) => {
      expect(select([pattern]).names).not.toContain('list_entities');
    },
  );
  test('takes nothing from a pattern that is invalid, and says so', () => {
    expect(select(['(', '^count'])).toEqual({ names: ['count_entities'], problems: ['('] });
  });
});
