import { describe, expect, test } from 'vitest';
import { updateAgent } from './update-agent.ts';

const read = '^(list|get|search|track|describe)_.*';
const whole = { prompt: 'Help.', status: 'active', execution_mode: 'Approval Required' };
const codes = (properties: object, known?: Set<string>) =>
  updateAgent({ ...properties }, known).findings.map(({ code }) => code);

describe('updateAgent', () => {
  test('turns actions into tools by their exact names', () => {
    const { changes } = updateAgent({ ...whole, allowed_actions: ['_createJiraIssue', 'a.b'] });
    expect(changes).toEqual({ tools: [read, 'run__createJiraIssue$', 'run_a\\.b$'] });
  });

  test('gives all reads to an agent without actions, and reports what it could not read before', () => {
    const update = updateAgent({ ...whole, allowed_blueprints: ['service'], allowed_tools: ['Entities Search'] });
    expect(update.changes).toEqual({ tools: [read] });
    expect(update.findings).toMatchObject([{ code: 'blueprints_widened', blocks: false }]);
  });

  test('leaves out actions that are gone, and says so', () => {
    const agent = { ...whole, allowed_actions: ['here', 'gone'] };
    expect(updateAgent(agent, new Set(['here'])).changes).toEqual({ tools: [read, 'run_here$'] });
    expect(codes(agent, new Set(['here']))).toEqual(['action_missing']);
  });

  test('fails closed: no status is inactive, an unknown mode needs approval', () => {
    const { changes } = updateAgent({ prompt: 'x', tools: [], executionMode: 'whatever' });
    expect(changes).toEqual({ status: 'inactive', execution_mode: 'Approval Required' });
    expect(codes({ prompt: 'x', tools: [], executionMode: 'whatever' })).toEqual([
      'status_missing',
      'execution_mode_unknown',
    ]);
  });

  test('takes the mode from its other name, and tells of what may run unattended', () => {
    const agent = { prompt: 'x', status: 'active', executionMode: 'Automatic', allowed_actions: ['deploy'] };
    expect(updateAgent(agent).changes).toMatchObject({ execution_mode: 'Automatic' });
    expect(codes(agent)).toEqual(['automatic_with_actions']);
  });

  test.each([
    ['x'.repeat(2500), []],
    ['😀'.repeat(2500), []],
    ['x'.repeat(2501), ['prompt_too_long']],
    ['', ['prompt_missing']],
    [undefined, ['prompt_missing']],
  ])('judges the length of a prompt, case %#', (prompt, expected) => {
    const { findings, changes } = updateAgent({ ...whole, tools: [], prompt });
    expect(findings.map(({ code }) => code)).toEqual(expected);
    expect(findings.every(({ blocks }) => blocks)).toBe(true);
    expect(changes).toEqual({});
  });

  test('of what it made changes nothing more', () => {
    const old = { prompt: 'x', allowed_actions: ['a'], allowed_blueprints: ['b'], executionMode: 'auto', model: '' };
    const once = { ...old, ...updateAgent(old).changes, model: undefined };
    expect(updateAgent(once).changes).toEqual({});
  });
});
