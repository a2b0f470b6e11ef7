import { compile } from '@portolan/jq';
import { describe, expect, test } from 'vitest';
import { unfoldExpression } from '../src/unfold-expression.ts';

const entity = {
  identifier: 'gl-1',
  relations: { owners: ['sre', 'pay'], system: 'core' },
  user: { teams: [{ name: 'SRE' }, { name: 'Pay' }] },
  list: [{ relations: { owners: ['sre'], system: 'a' } }, { relations: { owners: [], system: 'b' } }],
};

describe('a program whose paths are written out', () => {
  test.each([
    ['.relations as $r | $r.owners', '. as $r | $r.relations.owners'],
    ['.relations as $r | [$r.owners[], $r.system]', '. as $r | [$r.relations.owners[], $r.relations.system]'],
    ['.relations as $r | $r | keys', '. as $r | $r.relations | keys'],
    ['.list[0].relations as $r | $r.owners', '.list[0] as $r | $r.relations.owners'],
    ['. as {relations: {owners: $o}} | $o | length', '.relations.owners as $o | $o | length'],
    ['.list[] as {relations: {owners: $o}} | $o', '(.list[] | .relations.owners) as $o | $o'],
    ['.relations | {owners}', '{owners: .relations.owners}'],
    ['.list[] | .relations | {owners, s: .system}', '.list[] | {owners: .relations.owners, s: .relations.system}'],
    ['.relations | {"owners"}', '{"owners": .relations.owners}'],
    ['.user.teams | map(.name)', '[.user.teams[].name]'],
    ['.user.teams | any(.name == "SRE")', '[.user.teams[].name] | any(. == "SRE")'],
    ['.user.teams | all(.name != "X" and .name != "Y")', '[.user.teams[].name] | all(. != "X" and . != "Y")'],
    ['[.user.teams | map(.name) | .[]]', '[[.user.teams[].name] | .[]]'],
  ])('%s', (source, expected) => {
    expect(unfoldExpression(source)).toBe(expected);
    expect(compile(expected).run(entity)).toEqual(compile(source).run(entity));
  });

  test.each([
    '.relations.owners',
    '.relations as $r | .list[0].relations as $r | $r.owners',
    '.relations as $r | {$r}',
    '. as {relations: {owners: $o, system: $s}} | $o',
    '.relations | {(.system): .owners}',
    '.user.teams | map(.name + .provider)',
    '.user.teams | map(. | .name)',
    '.user.teams | any(keys | length > 1)',
    '.relations as $r ?// [$r] | $r',
    'broken |',
  ])('%s is left as it is', (source) => expect(unfoldExpression(source)).toBeUndefined());
});
