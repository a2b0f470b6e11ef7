import { describe, expect, test } from 'vitest';
import { findProposedNote } from './proposed-note.ts';

describe('a note is proposed for', () => {
  test.each([
    ['Remember that I work on cart.', 'I work on cart'],
    ['please remember: prod means eu-west-1', 'prod means eu-west-1'],
    ['Who owns cart? Keep in mind that I am on the geo team.', 'I am on the geo team'],
    ['Merke dir, dass ich im Team Geo bin', 'ich im Team Geo bin'],
    ['Which services are mine?\nNote down: mine are those of geo', 'mine are those of geo'],
  ])('%s', (question, note) => {
    expect(findProposedNote(question)).toBe(note);
    expect(question).toContain(note);
  });
});

test.each([
  'Do you remember that cart was down?',
  'Remember that cart was down?',
  'Remember cart',
  'What should I remember: cart or billing',
  'The note of cart says: remember that all is well',
  'I remember that cart was down.',
  `Remember that ${'x'.repeat(301)}`,
  'Remember that ',
])('no note is proposed for: %.60s', (question) => {
  expect(findProposedNote(question)).toBeUndefined();
});
