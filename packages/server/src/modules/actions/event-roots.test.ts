import { expect, test } from 'vitest';
import { impossibleRoots } from './event-roots.ts';

test.each([
  '.diff.after.properties.environment == "production"',
  '.event.diff.after.properties.environment == "production"',
  ".diff.before.title != '' and .event.action == 'UPDATE'",
  '.context.blueprintIdentifier | test("a")',
  '[.trigger.by.userId, .resourceType] | length > 0',
  '. as $event | $event.diff.after != null',
  '.diff | .after.foo.bar == 1',
  '{ foo: .action } | .foo == "CREATE"',
  'to_entries | length > 0',
  'getpath(["diff", "after"]) != null',
  'keys | length > 3',
  '.["di" + "ff"].after != null',
  'true',
  'test-rel.$identifier',
])('%s reads what events have, or cannot be told', (expression) => {
  expect(impossibleRoots(expression)).toEqual([]);
});

test.each([
  ['.foo.bar == 1', 'foo'],
  ['.event.foo == 1', 'foo'],
  ['.properties.environment == "production"', 'properties'],
  ['.entity.identifier == "a" and .diff.after != null', 'entity'],
  ['.inputs | has("a")', 'inputs'],
  ['.diff.after as $a | .before.x == $a.x', 'before'],
  ['.after?.title // "" | test("x")', 'after'],
  ['.["nope"] != null', 'nope'],
])('%s reads .%s, which none has', (expression, root) => {
  expect(impossibleRoots(expression).map((each) => each.root)).toEqual([root]);
});

test('the answer says what to write instead, where that can be guessed', () => {
  const [found] = impossibleRoots('.entity.title == "a"');
  expect(found?.message).toBe(
    'reads .entity, which no event has: there are .action, .resourceType, .trigger, .context, .diff; write .diff.after',
  );
});

test('of conditions with loops in loops nothing is said, and soon', { timeout: 5_000 }, () => {
  const inLoops = (index: number) => `.wrong | ${'[recurse('.repeat(10)}.a?${')]'.repeat(10)} | ${index}`;
  for (let index = 0; index < 20; index += 1) expect(impossibleRoots(inLoops(index))).toEqual([]);
});
