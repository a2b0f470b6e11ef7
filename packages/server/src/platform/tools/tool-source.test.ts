import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemActor } from '../actor.ts';
import { createToolRegistry, type RegisteredTool, selectTools } from './registry.ts';
import { type ToolDeclaration, type ToolEffect, tool } from './tool.ts';
import { matchToolPattern, mayMatchStart } from './tool-patterns.ts';
import { createToolSet, safeToolName, type ToolSource } from './tool-source.ts';

const actor = systemActor('org_1');

function declare(name: string, effect: ToolEffect = 'write', more: Partial<ToolDeclaration> = {}): ToolDeclaration {
  const input = z.record(z.string(), z.unknown());
  const shared = { title: name, description: name, effect, audience: 'developer', input } as const;
  return tool({ ...shared, name, run: async () => ({ from: name }), ...more });
}

const registered = (declaration: ToolDeclaration): RegisteredTool => ({ declaration, inputSchema: { type: 'object' } });

function source(prefix: string, tools: readonly RegisteredTool[], more: Partial<ToolSource> = {}) {
  const asked: string[] = [];
  const made: ToolSource & { asked: string[] } = {
    asked,
    prefix,
    list: async ({ orgId }) => {
      asked.push(orgId);
      return tools;
    },
    find: async (_actor, name) => tools.find(({ declaration }) => declaration.name === name),
    ...more,
  };
  return made;
}

const shared = createToolRegistry([declare('list_entities', 'read'), declare('run_fixed')]);
const listNames = (tools: readonly RegisteredTool[]) => tools.map(({ declaration }) => declaration.name);

describe('tools of a caller', () => {
  test('are found beside those that everybody has', async () => {
    const set = createToolSet(shared, [source('run_', [registered(declare('run_deploy'))])]);
    expect(listNames(await set.listOwn(actor))).toEqual(['run_deploy']);
    expect((await set.find(actor, 'run_deploy'))?.declaration.name).toBe('run_deploy');
    expect((await set.find(actor, 'list_entities'))?.declaration.name).toBe('list_entities');
    expect(await set.find(actor, 'run_nothing')).toBeUndefined();
  });

  test('never shadow one that is there, break no rule of prefixes and stay within theirs', async () => {
    const problems: string[] = [];
    const bad = [
      declare('run_fixed'),
      declare('run_alias', 'write', { aliases: ['run_fixed'] }),
      declare('run_reads', 'read'),
      declare('list_lies'),
      declare('run_lies', 'write', { matchedAs: 'list_lies' }),
      declare('run_not a name'),
    ].map(registered);
    const set = createToolSet(shared, [source('run_', bad)], (problem) => problems.push(problem));
    expect(await set.listOwn(actor)).toEqual([]);
    for (const { declaration } of bad) {
      const found = await set.find(actor, declaration.name);
      expect(found, declaration.name).toBe(shared.find(declaration.name));
    }
    expect(problems).toHaveLength(bad.length);
  });

  test('of two sources with one name, the first keeps it', async () => {
    const first = registered(declare('run_x'));
    const second = registered(declare('run_x'));
    const set = createToolSet(shared, [source('run_', [first]), source('run_', [second])]);
    expect(await set.listOwn(actor)).toEqual([first]);
    expect(await set.find(actor, 'run_x')).toBe(first);
  });

  test('become one where they are many, and it stands for those that were selected alone', async () => {
    const many = Array.from({ length: 65 }, (_, index) => registered(declare(`run_a${index}`)));
    const other = registered(declare('run_other'));
    let stoodFor: string[] = [];
    const gathered = {
      name: 'run_action',
      of: (tools: readonly RegisteredTool[]) => {
        stoodFor = listNames(tools);
        return registered(declare('run_action', 'write', { stands: 'for-many' }));
      },
    };
    const set = createToolSet(shared, [source('run_', [...many, other], { gathered })]);
    const select = (tools: readonly RegisteredTool[]) =>
      selectTools(tools, ['run_a\\d'], { matches: matchToolPattern });
    expect(listNames(await set.listOwn(actor, { select }))).toEqual(['run_action']);
    expect(stoodFor).toEqual(listNames(many));
    const none = (tools: readonly RegisteredTool[]) =>
      selectTools(tools, ['run_action$'], { matches: matchToolPattern });
    expect(await set.listOwn(actor, { select: none })).toEqual([]);
  });

  test('are not asked for where no pattern could match their names', async () => {
    const own = source('run_', [registered(declare('run_deploy'))]);
    const set = createToolSet(shared, [own]);
    await set.listOwn(actor, { patterns: ['^(list|get|search|track|describe)_.*', 'count_entities$'] });
    expect(own.asked).toEqual([]);
    await set.listOwn(actor, { patterns: ['^(list|get)_.*', '.*deploy'] });
    expect(own.asked).toEqual(['org_1']);
  });
});

test('whether a pattern could match a start is never denied wrongly', () => {
  const starts = { run_: 'run_deploy', mcp_: 'mcp_x_list_y' };
  const patterns = [
    ...['run_deploy', '^run_.*', '^(?:get|run)_.*', '(list)?_?run_deploy', '^(list|run_deploy)', 'list_.*|run_deploy'],
    ...[
      '.*',
      '',
      '(?!delete_)\\w+',
      '[a-z]+_deploy',
      '\\w+',
      'run',
      'r',
      'ru.*',
      '(list_)*run_deploy',
      'mcp_x',
      'm.p_',
    ],
    ...['^^run_deploy', '(run|mcp)_.*', 'list_{0}', '(?:list_|)run_deploy', '((run))_deploy', 'x?run_deploy'],
  ];
  for (const pattern of patterns) {
    for (const [start, name] of Object.entries(starts)) {
      if (matchToolPattern(pattern, name)) expect(mayMatchStart(pattern, start), `${pattern} ${start}`).toBe(true);
    }
  }
  expect(mayMatchStart('^(list|get|search|track|describe)_.*', 'run_')).toBe(false);
  expect(mayMatchStart('^(list|get|search|track|describe|count|run_*)_.*', 'run_')).toBe(true);
});

describe('a safe name', () => {
  test('is the name itself where that is one, else it is cut and hashed, always the same', () => {
    expect(safeToolName('run__createJiraIssue')).toBe('run__createJiraIssue');
    expect(safeToolName('run_a.b')).toMatch(/^run_a_b--[0-9a-f]{16}$/);
    expect(safeToolName('run_a.b')).toBe(safeToolName('run_a.b'));
    expect(safeToolName('run_a.b')).not.toBe(safeToolName('run_a@b'));
    expect(safeToolName(`run_${'x'.repeat(60)}`)).toHaveLength(64);
    expect(safeToolName(`run_${'x'.repeat(60)}y`)).toHaveLength(64);
    expect(safeToolName('run_action', ['run_action'])).toMatch(/^run_action--/);
  });

  test('cannot be taken by naming something after it', () => {
    const made = safeToolName('run_a.b');
    expect(safeToolName(made)).not.toBe(made);
  });
});
