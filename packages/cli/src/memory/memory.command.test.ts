import { expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const cart = {
  id: 'note_1',
  content: 'I work on cart',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
  invocation: null,
};
const short = {
  ...cart,
  id: 'note_2',
  content: 'Short answers',
  updatedAt: '2026-11-09T08:00:00.000Z',
  invocation: 'i7',
};

async function memory(
  given: readonly string[],
  { memories = [cart, short] as readonly object[], isTerminal = false, ...state } = {},
) {
  const done: Handler = () => json({ ok: true });
  const { fetch, seen } = scriptedFetch({
    'GET /v1/memory': () => json({ ok: true, memories, memoryEnabled: true, isOn: true, ...state }),
    'DELETE /v1/memory': done,
    'DELETE /v1/memory/note_1': done,
    'DELETE /v1/memory/note_2': done,
    'DELETE /v1/memory/note_3': () => refusal(404, 'not_found', 'There is no note "note_3"'),
  });
  const { context, out, err } = createTestContext({ fetch, isTerminal });
  const code = await run(['memory', ...given], context);
  const asked = seen.filter(({ call }) => !call.endsWith('/access_token')).map(({ call, body }) => [call, body]);
  return { code, out: out(), err: err(), asked };
}

test('list has a line for each note', async () => {
  const { code, out } = await memory(['list']);
  expect(code).toBe(0);
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['ID', 'CHANGED', 'NOTE'],
    ['note_1', '2026-11-01', 'I work on cart'],
    ['note_2', '2026-11-09', 'Short answers'],
  ]);
});

test.each([
  [{ memories: [] }, 'There is no note.\n'],
  [{ memories: [], isOn: false }, 'There is no note.\nThe assistant uses none: you paused your notes.\n'],
  [
    { memories: [], memoryEnabled: false, isOn: false },
    'There is no note.\nThe assistant uses none: an administrator has not allowed notes.\n',
  ],
])('list says that there is none, and whether notes are used: %j', async (state, out) => {
  expect((await memory(['list'], state)).out).toBe(out);
});

test('show prints one note, and where it comes from', async () => {
  expect((await memory(['show', 'note_1'])).out).toBe('I work on cart\n\nwritten 2026-11-01T10:00:00.000Z\n');
  expect((await memory(['show', 'note_2'])).out).toBe(
    'Short answers\n\nwritten 2026-11-01T10:00:00.000Z, changed 2026-11-09T08:00:00.000Z, from the question of invocation i7\n',
  );
  expect(await memory(['show', 'note_3'])).toMatchObject({
    code: 1,
    out: '',
    err: 'portolan: not_found: You have no note with the id "note_3"; "memory list" names yours\n',
  });
});

test('nothing of a note reaches the terminal as a command to it', async () => {
  const evil = { ...cart, content: 'clear \u001b[2J all' };
  for (const given of [['list'], ['show', 'note_1']]) {
    expect((await memory(given, { memories: [evil], isTerminal: true })).out).not.toContain('\u001b');
  }
});

test('forget deletes what is named, or all', async () => {
  expect(await memory(['forget', 'note_1', 'note_2'])).toEqual({
    code: 0,
    out: 'Forgot 2 notes.\n',
    err: '',
    asked: [
      ['DELETE /v1/memory/note_1', undefined],
      ['DELETE /v1/memory/note_2', undefined],
    ],
  });
  expect(await memory(['forget', '--all'])).toMatchObject({
    out: 'Forgot all notes.\n',
    asked: [['DELETE /v1/memory', { deleteAll: true }]],
  });
});

test('forget stops at an id that is not there', async () => {
  const { code, err, asked } = await memory(['forget', 'note_3', 'note_1']);
  expect(code).toBe(1);
  expect(err).toContain('There is no note "note_3"');
  expect(asked).toHaveLength(1);
});

test('--json is what the server says', async () => {
  expect(JSON.parse((await memory(['list', '--json'])).out)).toEqual({
    memories: [cart, short],
    memoryEnabled: true,
    isOn: true,
  });
  expect(JSON.parse((await memory(['show', 'note_2', '--json'])).out)).toEqual({ memory: short });
  expect(JSON.parse((await memory(['forget', 'note_1', '--json'])).out)).toEqual({ forgotten: ['note_1'] });
});

test.each([
  [[]],
  [['drop']],
  [['constructor']],
  [['list', 'note_1']],
  [['list', '--all']],
  [['show']],
  [['show', 'note_1', 'note_2']],
  [['forget']],
  [['forget', 'note_1', '--all']],
])('"memory %s" is a mistake and sends nothing', async (given) => {
  const { code, asked } = await memory(given);
  expect([code, asked]).toEqual([2, []]);
});
