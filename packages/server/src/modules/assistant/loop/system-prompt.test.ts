import { expect, test } from 'vitest';
import { buildSystemPrompt } from './system-prompt.ts';

const base = {
  executionMode: 'Manual Approval',
  hasActionTools: false,
  fenceMark: 'k3y',
  today: '2026-01-02',
} as const;

test('names the fence, the date, and what the agent and the request add', () => {
  const prompt = buildSystemPrompt({
    ...base,
    organization: 'Acme',
    agentPrompt: 'You are on call.',
    requestPrompt: 'Be brief.',
  });
  expect(prompt).toContain('<<tool-output k3y>> and <<end k3y>>');
  expect(prompt).toContain('Today is 2026-01-02 (UTC). The organization is Acme.');
  expect(prompt.indexOf('You are on call.')).toBeLessThan(prompt.indexOf('Be brief.'));
});

test('says what actions do only where there are some, and in the words of the mode', () => {
  expect(buildSystemPrompt(base)).not.toContain('run_');
  expect(buildSystemPrompt({ ...base, hasActionTools: true })).toContain('prepare a draft');
  expect(buildSystemPrompt({ ...base, hasActionTools: true, executionMode: 'Automatic' })).toContain('execute at once');
});
