import { expect, test } from 'vitest';
import { DatabaseError } from './database-error.ts';
import { createPresence } from './presence.ts';

/** A database that answers or not, and that others may get answers from. */
function scene(limits: Parameters<typeof createPresence>[0]['limits'] = {}) {
  let now = 0;
  const state = {
    isAway: false,
    isBusy: false,
    answers: 0,
    asked: 0,
    problem: undefined as Error | undefined,
    isReadOnly: false,
  };
  const changes: boolean[] = [];
  const said: string[] = [];
  const presence = createPresence({
    ask: async () => {
      state.asked += 1;
      if (state.isBusy) state.answers += 1;
      if (state.isAway) throw new Error('connect ECONNREFUSED');
      return { problem: state.problem, isReadOnly: state.isReadOnly };
    },
    answers: () => state.answers,
    nowMs: () => now,
    limits,
    log: { warn: (_context, message) => void said.push(message) },
  });
  presence.onChange((isAway) => changes.push(isAway));
  return { presence, state, changes, said, later: (ms: number) => (now += ms) };
}

const lost = new DatabaseError('Connection terminated', '08006');

test('a lost connection of a database that is there changes nothing', async () => {
  const { presence, changes, state } = scene();
  await presence.doubt(lost);
  expect([presence.absence(), presence.held(), changes, state.asked]).toEqual([undefined, undefined, [], 1]);
});

test('a database that is lost holds everybody until it is back, and says so once each time', async () => {
  const { presence, state, changes, said } = scene({ awayMs: 1 });
  state.isAway = true;
  await Promise.all([presence.doubt(lost), presence.doubt(lost), presence.doubt(lost)]);
  expect(presence.absence()).toMatchObject({ error: { message: 'connect ECONNREFUSED' } });
  const held = Promise.all([presence.held(), presence.held()]);
  state.isAway = false;
  await held;
  expect(changes).toEqual([true, false]);
  expect(said.filter((each) => each.includes('held'))).toHaveLength(1);
  expect(said.filter((each) => each.includes('again'))).toHaveLength(1);
  expect(presence.held()).toBeUndefined();
});

test('whoever is held too long is told that the database is away', async () => {
  const { presence, state } = scene({ heldMs: 1 });
  state.isAway = true;
  await presence.doubt(lost);
  await expect(presence.held()).rejects.toMatchObject({ name: 'DatabaseError', code: '08006' });
});

test('closing lets nobody wait', async () => {
  const { presence, state } = scene();
  state.isAway = true;
  await presence.doubt(lost);
  const held = presence.held();
  presence.close();
  await expect(held).rejects.toMatchObject({ code: '08003' });
  expect((await presence.check()).problem).toMatchObject({ message: 'The database is closed' });
});

test('a question that is not answered while others are is no absence', async () => {
  const { presence, state } = scene();
  state.isAway = true;
  state.isBusy = true;
  await presence.doubt(lost);
  await presence.doubt(lost);
  expect(presence.absence()).toBeUndefined();
});

test('readiness asks at most once a second, however many ask', async () => {
  const { presence, state, later } = scene();
  await Promise.all([presence.check(), presence.check(), presence.check()]);
  later(900);
  await presence.check();
  expect(state.asked).toBe(1);
  later(200);
  state.problem = new Error('No migration is applied');
  expect(await presence.check()).toEqual({ absence: undefined, problem: state.problem });
  expect(state.asked).toBe(2);
});

test('a database that stops taking writes says so once, and once when it takes them again', async () => {
  const { presence, state, said, later } = scene();
  await presence.check();
  expect(presence.isReadOnly()).toBe(false);
  state.isReadOnly = true;
  later(1_001);
  await presence.check();
  later(1_001);
  await presence.check();
  expect(presence.isReadOnly()).toBe(true);
  state.isReadOnly = false;
  later(1_001);
  await presence.check();
  expect(presence.isReadOnly()).toBe(false);
  expect(said).toEqual(['the database takes no writes', 'the database takes writes again']);
});
