import { describe, expect, test } from 'vitest';
import { compileToolPattern, InvalidToolPattern, ToolPatternTimeout, toolPatternProblem } from './tool-patterns.ts';

describe('a tool pattern', () => {
  test.each([
    ['^(list|get|search|track|describe)_.*', 'list_entities', true],
    ['^(list|get|search|track|describe)_.*', 'count_entities', false],
    ['list_', 'list_entities', true],
    ['entities', 'list_entities', false],
    ['.*entities', 'list_entities', true],
    ['run_create_x', 'run_create_x_y', true],
    ['run_create_x$', 'run_create_x_y', false],
    ['LIST_', 'list_entities', false],
    ['get_a|delete_b', 'xdelete_b', false],
    ['get_a|delete_b', 'delete_b', true],
    ['(?!delete_)\\w+_entity$', 'delete_entity', false],
    ['(?!delete_)\\w+_entity$', 'get_entity', true],
    ['^run_.*github.*', 'run_open_github_issue', true],
    ['^(list|get|search|track|describe|count|run_*)_.*', 'run_anything', true],
    ['', 'anything', true],
  ])('%s on %s: %s', (pattern, name, matches) => {
    expect(compileToolPattern(pattern)(name)).toBe(matches);
  });

  test.each(['(', '[a', 'a)(b', '*', 'a'.repeat(1001), '(?<x'])('%s is invalid, and the reason is told', (pattern) => {
    expect(() => compileToolPattern(pattern)).toThrow(InvalidToolPattern);
    expect(toolPatternProblem(pattern)).toBeTruthy();
  });

  test('that would run for ever is stopped, and given up', () => {
    const matches = compileToolPattern('(?=(a+)+$)(a+)+b');
    const subject = 'a'.repeat(40);
    const startedAt = performance.now();
    expect(() => matches(subject)).toThrow(ToolPatternTimeout);
    expect(() => matches('other')).toThrow(ToolPatternTimeout);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test('that backtracks without look-around costs linear time', () => {
    expect(compileToolPattern('(a+)+$')(`${'a'.repeat(5000)}!`)).toBe(false);
  });
});
