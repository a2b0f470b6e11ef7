import { expect, test } from 'vitest';
import { identifierFrom } from '../../kit/identifier-from.ts';
import { withKey } from '../../kit/json-value.ts';
import { issueAt } from '../../kit/refusal.ts';
import { readDraft, tabOfIssue } from './blueprint-draft.ts';

test('a text that is no blueprint says why, and nothing the tabs would stumble over gets through', () => {
  const problems = [
    '{',
    '[]',
    '{"identifier":1,"title":"T","schema":{"properties":{}}}',
    '{"identifier":"a","title":"T","schema":{"properties":{"x":null}}}',
    '{"identifier":"a","title":"T","schema":{"properties":{},"required":"x"}}',
    '{"identifier":"a","title":"T","schema":{"properties":{}},"relations":{"r":"b"}}',
    '{"identifier":"a","title":"T","schema":{"properties":{}},"ownership":"Direct"}',
  ].map((text) => 'problem' in readDraft(text));
  expect(problems).toEqual([true, true, true, true, true, true, true]);
  const read = readDraft('{"identifier":"a","title":"T","schema":{"properties":{}},"future":1}');
  expect(read).toEqual({
    draft: {
      identifier: 'a',
      title: 'T',
      schema: { properties: {} },
      future: 1,
      relations: {},
      mirrorProperties: {},
      calculationProperties: {},
      aggregationProperties: {},
    },
  });
});

test('an issue is shown where it is, also when a key has a dot', () => {
  const issues = [{ path: '/schema/properties/a.b/enum/0', message: 'must be a number' }];
  expect(issueAt(issues, 'schema', 'properties', 'a.b')).toBe('must be a number');
  expect(issueAt(issues, 'schema', 'properties', 'a')).toBeUndefined();
  expect(tabOfIssue({ path: '/ownership/path', message: '' })).toBe('ownership');
  expect(tabOfIssue({ path: '/changelogDestination', message: '' })).toBe('json');
});

test('keys are made of titles, and changing one keeps the order', () => {
  expect(identifierFrom('  Last deployed at! ')).toBe('last_deployed_at');
  expect(identifierFrom('Größe für Café')).toBe('grosse_fur_cafe');
  expect(Object.keys(withKey({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b']);
  expect(withKey({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
});
