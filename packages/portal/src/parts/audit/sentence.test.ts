import { expect, test } from 'vitest';
import { type AuditNames, type AuditRecord, describeAudit, originName } from './sentence.ts';

const names: AuditNames = {
  person: (email) => ({ 'ana@acme.dev': 'Ana Silva' })[email] ?? email,
  program: (id) => ({ client_1: 'CI' })[id] ?? 'A program',
  blueprint: (identifier) => ({ service: 'Service' })[identifier] ?? identifier,
  property: (_blueprint, key) => ({ lifecycle: 'Lifecycle', tier: 'Tier' })[key] ?? key,
};

const ana = { user: { email: 'ana@acme.dev' }, userId: 'ana@acme.dev', orgId: 'org_1' };
const of = (record: Partial<AuditRecord>, by: NonNullable<AuditRecord['trigger']>['by'] = ana): AuditRecord => ({
  status: 'SUCCESS',
  trigger: { at: '2026-11-24T10:00:00.000Z', by, origin: 'UI' },
  ...record,
});
const said = (record: AuditRecord): string => {
  const { who, did, kind, thing, detail } = describeAudit(record, names);
  return `${who} ${did} ${kind} ${thing}${detail && ` · ${detail}`}`;
};

const tiles = { blueprint: 'service', entity: 'map-tiles' };
const state = (properties: object) => ({ identifier: 'map-tiles', title: 'Map Tiles', properties }) as never;

test('says who changed what, by name, with the values before and after', () => {
  const diff = { before: state({ lifecycle: 'beta' }), after: state({ lifecycle: 'production' }) };
  const record = of({ action: 'UPDATE', resourceType: 'entity', context: tiles, diff });
  expect(said(record)).toBe('Ana Silva changed Service Map Tiles · Lifecycle: beta → production');
  expect(describeAudit(record, names).entity).toEqual({ blueprint: 'service', identifier: 'map-tiles' });
});

test('names several changes, counts many, and tells none that nobody made', () => {
  const before = { updatedAt: '1', properties: { a: 1, b: 1, c: 1, d: 1, lifecycle: 'beta' } } as never;
  const after = { updatedAt: '2', properties: { a: 2, b: 2, c: 2, d: 2, lifecycle: 'beta' } } as never;
  const record = of({ action: 'UPDATE', resourceType: 'entity', context: tiles, diff: { before, after } });
  expect(describeAudit(record, names).detail).toBe('a, b, c and 1 more');
  const long = { before: state({ lifecycle: 'x'.repeat(100) }), after: state({ lifecycle: null }) };
  expect(describeAudit({ ...record, diff: long }, names).detail).toBe('Lifecycle');
});

test('keeps the name of what was deleted, and leads to nothing', () => {
  const diff = { before: state({}), after: null };
  const { thing, entity } = describeAudit(
    of({ action: 'DELETE', resourceType: 'entity', context: tiles, diff }),
    names,
  );
  expect([thing, entity]).toEqual(['Map Tiles', undefined]);
});

test('says what was refused, and why', () => {
  const record = of(
    {
      action: 'CREATE',
      resourceType: 'entity',
      status: 'FAILURE',
      context: tiles,
      message: 'The entity "map-tiles" is not valid. /properties/tier: must be a number',
    },
    { userId: 'client_1', orgId: 'org_1' },
  );
  expect(said(record)).toBe(
    'CI was refused creating Service map-tiles · The entity "map-tiles" is not valid. /properties/tier: must be a number',
  );
});

test('lets what is no usual change speak for itself', () => {
  const record = of({
    action: 'OTHER',
    resourceType: 'user',
    context: { user: 'ana@acme.dev' },
    message: 'A link to set a password was made.',
  });
  expect(said(record)).toBe('Ana Silva acted on user Ana Silva · A link to set a password was made');
});

test('says that somebody signed in or out', () => {
  const did = (action: string) => describeAudit(of({ action, resourceType: 'session' }), names).did;
  expect([did('CREATE'), did('DELETE')]).toEqual(['signed in', 'signed out']);
});

test('tells people, programs and Portolan apart, and the way they came', () => {
  const by = (each: object) => describeAudit(of({ action: 'CREATE', resourceType: 'page' }, each as never), names).who;
  expect([
    by(ana),
    by({ userId: 'client_1' }),
    by({ userId: 'client_9' }),
    by({ userId: 'system', byPort: true }),
  ]).toEqual(['Ana Silva', 'CI', 'A program', 'Portolan']);
  expect(['UI', 'AI', 'port-ocean/github/1.2.3/mine/exporter', undefined].map(originName)).toEqual([
    'Portal',
    'Assistant',
    'port-ocean github',
    '',
  ]);
});
