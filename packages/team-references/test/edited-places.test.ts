import { describe, expect, test } from 'vitest';
import { applyEdits, type DocumentEdit, editedPlaces, editsBack, holdsEdited, type Json } from '../src/index.ts';

const cases: readonly (readonly [string, Json, readonly DocumentEdit[], readonly string[]])[] = [
  ['a value', { a: { b: 1 } }, [{ pointer: '/a/b', value: 2 }], ['/a/b']],
  ['a value that is removed', { a: { b: 1, c: 2 } }, [{ pointer: '/a/b' }], ['/a/b']],
  [
    'the outermost part that comes to be',
    { a: 1 },
    [
      { pointer: '/m/n/o', value: 1 },
      { pointer: '/a', value: 2 },
    ],
    ['/m', '/a'],
  ],
  ['a member that goes moves the others', { a: [1, 2, 3] }, [{ pointer: '/a/1' }], ['/a']],
  ['a member that is added', { a: [1] }, [{ pointer: '/a/-', value: 2 }], ['/a']],
  [
    'parts of a part are that part',
    { a: { b: [1, 2] } },
    [{ pointer: '/a/b/0' }, { pointer: '/a/b/0', value: 5 }],
    ['/a/b'],
  ],
  ['nothing where nothing changes', { a: { b: 1 } }, [{ pointer: '/a/b', value: 1 }, { pointer: '/x' }], []],
  ['keys of any name', { 'a/b': { '~': 1 } }, [{ pointer: '/a~1b/~0', value: null }], ['/a~1b/~0']],
];

describe('the places of edits', () => {
  test.each(cases)('%s', (_name, document, edits, pointers) => {
    const places = editedPlaces(document, edits);
    expect(places.map(({ pointer }) => pointer)).toEqual(pointers);
    const edited = applyEdits(document, edits);
    expect(holdsEdited(edited, places)).toBe(true);
    expect(holdsEdited(document, places)).toBe(places.length === 0);
    expect(applyEdits(edited, editsBack(places))).toEqual(document);
  });
});
