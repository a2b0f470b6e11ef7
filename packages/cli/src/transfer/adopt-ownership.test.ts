import type { Blueprint } from '@portolan/contract/blueprints';
import { readTransfer } from '@portolan/contract/transfer-file';
import { describe, expect, test } from 'vitest';
import { withOwnership } from './adopt-ownership.ts';

const blueprint = (identifier: string, rest: object = {}) => ({
  blueprint: { identifier, title: identifier, schema: { properties: {} }, ...rest },
});
const relation = (target: string, many = false) => ({ target, required: false, many });
const read = (records: readonly object[], existing: readonly object[] = []) => {
  const file = readTransfer(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  expect(file.problems).toEqual([]);
  const { blueprints, notes } = withOwnership(file, existing as Blueprint[]);
  return {
    ownership: Object.fromEntries(blueprints.map(({ identifier, body }) => [identifier, body.ownership])),
    notes: notes.map(({ line, blueprint: name, message }) => `${line} ${name}: ${message}`),
    blueprints,
  };
};

test('inheritance of before becomes inherited ownership along the same path', () => {
  const { ownership, notes, blueprints } = read([
    blueprint('checkout'),
    blueprint('pod', { relations: { of: relation('checkout') }, teamInheritance: { path: 'of' } }),
  ]);
  expect(ownership).toEqual({ checkout: undefined, pod: { type: 'Inherited', path: 'of' } });
  expect(notes).toEqual(['2 pod: teamInheritance along "of" becomes inherited ownership']);
  expect(blueprints.some(({ body }) => 'teamInheritance' in body)).toBe(false);
});

test('blueprints whose entities name teams own directly', () => {
  const { ownership, notes } = read([
    blueprint('checkout'),
    blueprint('bare'),
    { entity: { blueprint: 'checkout', identifier: 'a', team: ['SRE'] } },
    { entity: { blueprint: 'bare', identifier: 'b', team: [] } },
  ]);
  expect(ownership).toEqual({ checkout: { type: 'Direct' }, bare: undefined });
  expect(notes).toHaveLength(1);
});

test('a path straight to teams is direct ownership, whose teams are still in the relation', () => {
  const { ownership, notes } = read([
    blueprint('ledger', { relations: { owners: relation('_team', true) }, teamInheritance: { path: 'owners' } }),
  ]);
  expect(ownership).toEqual({ ledger: { type: 'Direct' } });
  expect(notes).toEqual([expect.stringContaining('portolan migrate-data')]);
});

describe('what cannot be said', () => {
  test('is left out, and noted: a path over a relation to many', () => {
    const { ownership, notes } = read([
      blueprint('pod', { relations: { of: relation('pod', true) }, teamInheritance: { path: 'of.of' } }),
    ]);
    expect(ownership).toEqual({ pod: undefined });
    expect(notes).toEqual([expect.stringContaining('"of" of its path "of.of" is a relation to many')]);
  });

  test('or is said by the organization already, stays as it is there', () => {
    const old = blueprint('pod', { relations: { of: relation('x') }, teamInheritance: { path: 'of' } });
    const there = (ownership: object) => [{ ...old.blueprint, teamInheritance: undefined, ownership }];
    expect(read([old], there({ type: 'Direct' })).notes).toEqual([expect.stringContaining('stays')]);
    const again = read([old], there({ type: 'Inherited', path: 'of' }));
    expect([again.ownership, again.notes]).toEqual([{ pod: undefined }, []]);
  });
});

test('a file that says ownership is read as it is', () => {
  const { ownership, notes } = read([
    blueprint('pod', { ownership: { type: 'Direct' }, teamInheritance: { path: 'of' } }),
    { entity: { blueprint: 'pod', identifier: 'a', team: ['sre'] } },
  ]);
  expect([ownership, notes]).toEqual([{ pod: { type: 'Direct' } }, []]);
});
