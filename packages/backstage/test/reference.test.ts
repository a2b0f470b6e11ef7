import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromIdentifier, parseReference, printReference, shortReference, toIdentifier } from '../src/reference.ts';

const letters = fc.constantFrom('a', 'B', '0', '-', '.', '_', ':', '/', ' ', 'é', 'component', 'default');
const written = fc.oneof(
  fc.array(letters, { maxLength: 9 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 20 }),
  fc.record(
    { kind: fc.string({ maxLength: 3 }), namespace: fc.string({ maxLength: 3 }), name: fc.string({ maxLength: 3 }) },
    { requiredKeys: ['name'] },
  ),
);
const context = fc.record(
  { kind: fc.constantFrom('Group', 'api', ''), namespace: fc.constantFrom('default', 'Team-A', '') },
  { requiredKeys: [] },
);

test('reads every reference as Backstage does, and refuses what it refuses', () => {
  fc.assert(
    fc.property(written, context, (reference, { kind, namespace }) => {
      expect(parseReference(reference, { kind, namespace })).toEqual(backstage(reference, { kind, namespace }));
    }),
    { numRuns: 120_000 },
  );
}, 120_000);

function backstage(
  reference: Parameters<typeof parseEntityRef>[0],
  { kind, namespace }: Record<string, string | undefined>,
) {
  try {
    return parseEntityRef(reference, {
      ...(kind === undefined ? {} : { defaultKind: kind }),
      ...(namespace === undefined ? {} : { defaultNamespace: namespace }),
    });
  } catch {
    return undefined;
  }
}

const name = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?$/);
const reference = fc.record({
  kind: fc.stringMatching(/^[a-zA-Z][a-z0-9A-Z]{0,8}$/),
  namespace: fc.oneof(fc.constant('default'), fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,6}[a-z0-9])?$/)),
  name,
});

test('prints a reference as Backstage does', () => {
  fc.assert(
    fc.property(reference, (one) => {
      expect(printReference(one)).toBe(stringifyEntityRef(one));
    }),
  );
});

test('the shortest form means the same in its context', () => {
  fc.assert(
    fc.property(reference, reference, fc.boolean(), (one, home, hasKind) => {
      const here = { kind: hasKind ? home.kind : undefined, namespace: home.namespace };
      const read = parseReference(shortReference(one, here), here);
      expect(read && printReference(read)).toBe(printReference(one));
    }),
  );
});

test('an identifier leads back to its reference', () => {
  fc.assert(
    fc.property(reference, (one) => {
      const kind = one.kind.toLowerCase() === 'group' ? 'component' : one.kind;
      expect(printReference(fromIdentifier(kind, toIdentifier({ ...one, kind })))).toBe(
        printReference({ ...one, kind }),
      );
    }),
  );
});

test('the identifier of a team holds no slash', () => {
  expect(toIdentifier({ kind: 'Group', namespace: 'Emea', name: 'Payments' })).toBe('emea.payments');
});
