import type { Operation } from '@portolan/contract/operation';
import { requiredScope } from '@portolan/contract/scopes';
import { chooseStart, describeStart, type Start } from './attacker.ts';
import { type Authority, covers } from './authority.ts';
import { type Chance, createChance } from './chance.ts';
import { newest, parameters } from './dictionary.ts';
import { printAttack, type Step } from './steps.ts';
import { createWalker, type Walker } from './walker.ts';
import { searched, surfaceWish, wishFor } from './wishes.ts';
import type { World } from './world.ts';

export interface SearchOptions {
  readonly seed: number;
  readonly sequences: number;
}

export interface SearchResult {
  /** Each attack as a person reads it, shrunk, with the number of the sequence that found it. */
  readonly attacks: readonly string[];
  /** Steps that were taken, and how many operations did something at least once. */
  readonly taken: number;
  readonly reached: ReadonlySet<string>;
  /** Requests that were answered with 500. */
  readonly failures: ReadonlySet<string>;
}

const stepsMax = 4;
/** How many requests a sequence may cost, refused ones counted. */
const triesMax = 12;
/** After so many kinds of attack there is enough to mend. */
const attacksMax = 25;

/** Walks sequences of operations and collects what got beyond the authority that they began with. */
export async function search(world: World, { seed, sequences }: SearchOptions): Promise<SearchResult> {
  const attacks = new Map<string, string>();
  const reached = new Set<string>();
  const failures = new Set<string>();
  const memory = { corpus: createCorpus(), lessons: createLessons() };
  let taken = 0;
  for (let index = 0; index < sequences && attacks.size < attacksMax; index += 1) {
    const start = chooseStart(index, seed);
    const walker = await createWalker(world, start, failures);
    const claims = await walk(walker, createChance(seed * 1_000_003 + index), memory);
    taken += walker.taken.length;
    for (const step of walker.taken) reached.add(step.operation);
    if (claims.length === 0) continue;
    const attack = await shrink(world, { start, steps: walker.taken, claims });
    const kind = attack.steps.map(({ operation }) => operation).join(' > ');
    if (attacks.has(kind)) continue;
    const text = printAttack(describeStart(attack.start), attack.steps, attack.claims);
    attacks.set(kind, `after ${index + 1} sequences: ${text}`);
  }
  await world.reset();
  return { attacks: [...attacks.values()], taken, reached, failures };
}

interface Memory {
  readonly corpus: Corpus;
  readonly lessons: Lessons;
}

/** One sequence: perhaps the way to a state that was seen before, then steps by chance, until something is claimed. */
async function walk(walker: Walker, chance: Chance, { corpus, lessons }: Memory): Promise<string[]> {
  const { authority } = walker.attacker;
  const known = corpus.ways.filter((steps) => steps.every((step) => mayTry(authority, step.operation)));
  const way = known.length > 0 && chance.happens(0.3) ? chance.pick(known) : [];
  for (let tries = 0; tries < triesMax && walker.taken.length < stepsMax; tries += 1) {
    const step = way[tries] ?? nextStep(walker, chance, lessons);
    const isTaken = await walker.take(step);
    lessons.note(step.operation, isTaken);
    if (!isTaken) continue;
    const claims = await walker.judge();
    if (claims.length > 0) return claims;
    if (walker.taken.length < stepsMax) corpus.keep(walker.changedTables(), walker.taken);
  }
  return walker.letTheWorldGoOn();
}

/** Ways to states that differ in what they changed: from there, other sequences go on. */
interface Corpus {
  readonly ways: readonly (readonly Step[])[];
  keep(changed: readonly string[], way: readonly Step[]): void;
}

function createCorpus(): Corpus {
  const ways = new Map<string, readonly Step[]>();
  return {
    get ways() {
      return [...ways.values()];
    },
    keep: (changed, way) => {
      const state = changed.join(' ');
      if (!ways.has(state)) ways.set(state, [...way]);
    },
  };
}

interface Attack {
  readonly start: Start;
  readonly steps: readonly Step[];
  readonly claims: readonly string[];
}

/** What is left of an attack when every step and every scope is taken away that it does not need. */
async function shrink(world: World, found: Attack): Promise<Attack> {
  let best = found;
  const isStill = async (start: Start, steps: readonly Step[]): Promise<void> => {
    const claims = await replay(world, start, steps);
    if (claims.length > 0) best = { start, steps, claims };
  };
  for (let index = best.steps.length - 1; index >= 0 && best.steps.length > 1; index -= 1) {
    await isStill(
      best.start,
      best.steps.filter((_step, each) => each !== index),
    );
  }
  const asked = new Set(best.steps.flatMap(({ operation }) => byId.get(operation) ?? []).map(requiredScope));
  const scopes = best.start.scopes?.filter((scope) => asked.has(scope)) ?? [];
  if (scopes.length > 0) await isStill({ ...best.start, scopes }, best.steps);
  return best;
}

/** The claims of a sequence that is taken as it is; refused steps are passed over. */
async function replay(world: World, start: Start, steps: readonly Step[]): Promise<string[]> {
  const walker = await createWalker(world, start, new Set());
  for (const step of steps) {
    if (!(await walker.take(step))) continue;
    const claims = await walker.judge();
    if (claims.length > 0) return claims;
  }
  return walker.letTheWorldGoOn();
}

/** Operations that name people, rights or credentials, or have something done in somebody's stead. */
const worthwhile =
  /user|team|app|token|password|permission|sso|credential|invite|action|run|webhook|entity|migration|blueprint$/i;
const byId = new Map(searched.map((operation) => [operation.id, operation]));

function mayTry(authority: Authority, operationId: string): boolean {
  const operation = byId.get(operationId);
  return operation === undefined || isAllowed(authority, operation);
}

function isAllowed(authority: Authority, operation: Operation): boolean {
  const scope = requiredScope(operation);
  if (operation.access === 'public' || scope === null) return true;
  return covers(authority, operation.access === 'admin' ? 'Admin' : 'Member', scope);
}

/** A step that is likely to be let through and to matter; now and then one that is not. */
function nextStep(walker: Walker, chance: Chance, learned: Lessons): Step {
  const changed = walker.changedTables();
  if (changed.includes('actions') && chance.happens(0.5)) {
    const action = newest('actions', 'identifier');
    const path = `/v1/actions/${action}/runs`;
    return {
      by: chance.pick(['attacker', 'mia']),
      operation: 'startRun',
      method: 'POST',
      path,
      body: { properties: {} },
    };
  }
  if (changed.includes('webhooks') && chance.happens(0.5)) {
    const path = `/ingest/${chance.pick(parameters['webhook_key'] ?? [])}`;
    return { by: 'attacker', operation: 'ingestWebhook', method: 'POST', path, body: { role: 'Admin' } };
  }
  const { authority } = walker.attacker;
  if (chance.happens(0.12))
    return { by: 'attacker', ...surfaceWish(chance, (scope) => covers(authority, 'Member', scope)) };
  const weights = searched.map((operation) => operationWeight(operation, authority) * learned.share(operation.id));
  let at = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = searched.find((_operation, index) => {
    at -= weights[index] ?? 0;
    return at <= 0;
  });
  return { by: 'attacker', ...wishFor(chosen ?? chance.pick(searched), chance) };
}

function operationWeight(operation: Operation, authority: Authority): number {
  const isWorthwhile = worthwhile.test(operation.id);
  const isWriting = operation.method !== 'GET';
  if (!isAllowed(authority, operation)) return isWorthwhile && isWriting ? 0.02 : 0.003;
  if (!isWriting || operation.access === 'public') return 0.05;
  return isWorthwhile ? 8 : 2;
}

/** What was let through so far: what never is gets asked for less and less. */
interface Lessons {
  note(operation: string, isTaken: boolean): void;
  share(operation: string): number;
}

function createLessons(): Lessons {
  const counts = new Map<string, { tries: number; taken: number }>();
  return {
    note: (operation, isTaken) => {
      const { tries, taken } = counts.get(operation) ?? { tries: 0, taken: 0 };
      counts.set(operation, { tries: tries + 1, taken: taken + (isTaken ? 1 : 0) });
    },
    share: (operation) => {
      const { tries, taken } = counts.get(operation) ?? { tries: 0, taken: 0 };
      return (taken + 1) / (tries + 2);
    },
  };
}
