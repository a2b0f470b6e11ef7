import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Actor, systemActor } from './actor.ts';
import { missingToolScope } from './scopes.ts';
import type { ToolDeclaration, ToolEffect } from './tools/tool.ts';

const effects = ['read', 'write', 'destructive'] as const satisfies readonly ToolEffect[];
const origins = [
  'API',
  'UI',
  'MCP',
  'AI',
  'AUTOMATION',
  'MIGRATION',
  'SYSTEM',
] as const satisfies readonly Actor['origin'][];

const caller = (origin: Actor['origin'], scopes?: readonly string[]): Actor => ({
  ...systemActor('org-1'),
  origin,
  ...(scopes && { scopes }),
});
const tool = (effect: ToolEffect, scope?: ToolDeclaration['scope']): ToolDeclaration<z.ZodType> =>
  ({ name: 'a_tool', effect, ...(scope !== undefined && { scope }) }) as ToolDeclaration<z.ZodType>;

describe('the scope that a tool call lacks', () => {
  test.each(effects)('is none for a token without restriction: a %s tool', (effect) => {
    for (const origin of origins) {
      expect(missingToolScope(caller(origin), tool(effect, 'update:entities'))).toBeUndefined();
      expect(missingToolScope(caller(origin), tool(effect))).toBeUndefined();
    }
  });

  test.each(effects)('is none where any token will do: a %s tool', (effect) => {
    for (const origin of origins)
      expect(missingToolScope(caller(origin, ['read:pages']), tool(effect, null))).toBeUndefined();
  });

  test('is none for what the assistant reads to answer', () => {
    expect(missingToolScope(caller('AI', ['invoke:ai']), tool('read', 'read:entities'))).toBeUndefined();
    expect(missingToolScope(caller('AI', ['invoke:ai']), tool('read'))).toBeUndefined();
  });

  test.each(['write', 'destructive'] as const)(
    'is that of the change for what the assistant does: a %s tool',
    (effect) => {
      const declared = tool(effect, 'update:entities');
      expect(missingToolScope(caller('AI', ['invoke:ai']), declared)).toBe('update:entities');
      expect(missingToolScope(caller('AI', ['invoke:ai', 'update:entities']), declared)).toBeUndefined();
    },
  );

  test.each(origins.filter((origin) => origin !== 'AI'))('is that of the tool for who reads by %s', (origin) => {
    expect(missingToolScope(caller(origin, ['read:pages']), tool('read', 'read:entities'))).toBe('read:entities');
    expect(missingToolScope(caller(origin, ['read:entities']), tool('read', 'read:entities'))).toBeUndefined();
  });

  test('is every reading where a reading tool names none, and everything where another does', () => {
    const reader = caller('MCP', ['read:*']);
    expect(missingToolScope(reader, tool('read'))).toBeUndefined();
    expect(missingToolScope(caller('MCP', ['read:entities']), tool('read'))).toBe('read:*');
    expect(missingToolScope(reader, tool('write'))).toBe('*');
    expect(missingToolScope(caller('AI', ['update:*']), tool('destructive'))).toBe('*');
    expect(missingToolScope(caller('AI', ['*']), tool('destructive'))).toBeUndefined();
  });

  test('is the first of several that is not there', () => {
    const declared = tool('write', ['update:entities', 'delete:entities']);
    expect(missingToolScope(caller('MCP', ['delete:entities']), declared)).toBe('update:entities');
    expect(missingToolScope(caller('MCP', ['update:entities']), declared)).toBe('delete:entities');
    expect(missingToolScope(caller('MCP', ['update:entities', 'delete:entities']), declared)).toBeUndefined();
  });
});
