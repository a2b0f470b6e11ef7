import { expect, test } from 'vitest';
import { chooseAgent } from './choose-agent.ts';

const guide = { identifier: 'guide', about: 'Service Guide: services and owners', prompt: 'You know services.' };
const scribe = { identifier: 'scribe', about: 'Writes summaries of incidents', prompt: 'Read the services too.' };

test.each([
  ['Which services have no owner?', 'guide'],
  ['Summarize the last incident', 'scribe'],
  ['SERVICES?', 'guide'],
  ['Sing a song', undefined],
  ['what is the', undefined],
  ['', undefined],
])('%s goes to %s', (question, identifier) => {
  expect(chooseAgent(question, [scribe, guide])?.identifier).toBe(identifier);
});

test('the only agent answers everything, and none nothing', () => {
  expect(chooseAgent('Write a poem', [guide])?.identifier).toBe('guide');
  expect(chooseAgent('Services?', [])).toBeUndefined();
});

test('of equals the first by name is taken, in whatever order they come', () => {
  const twin = { ...guide, identifier: 'a' };
  expect(chooseAgent('services', [guide, twin])?.identifier).toBe('a');
  expect(chooseAgent('services', [twin, guide])?.identifier).toBe('a');
});
