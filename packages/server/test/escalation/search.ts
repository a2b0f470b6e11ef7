import { type Operation, scopeOf } from '@portolan/contract';
import { nameOf, type Start, startOf } from './attacker.ts';
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
const triesMax = 6;
/** After so many kinds of attack there is enough to mend. */
const attacksMax = 25;

/** Walks sequences of operations and collects what got beyond the authority that they began with. */
export async function search(world: World, { seed, sequences }: SearchOptions): Promise<SearchResult> {
  const attacks = new Map<string, string>();
  const reached = new Set<string>();
  const failures = new Set<string>();
  const corpus: Step[][] = [];
  const seenStates = new Set<string>();
  let taken = 0;
  for (let index = 0; index < sequences && attacks.size < attacksMax; index += 1) {
    const start = startOf(index, seed);
    const walker = await createWalker(world, start, failures);
    const chance = createChance(seed * 1_000_003 + index);
    let claims: string[] = [];
    const known = corpus.filter((steps) => steps.every((step) => mayTry(walker.attacker.authority, step.operation)));
    const prefix = known.length > 0 && chance.happens(0.3) ? chance.pick(known) : [];
    for (const step of prefix) if (claims.length === 0 && (await walker.take(step))) claims = await walker.judge();
    for (let tries = 0; tries < triesMax * stepsMax && claims.length === 0; tries += 1) {
      if (walker.taken.length >= stepsMax) break;
      if (!(await walker.take(nextStep(walker, chance)))) continue;
      claims = await walker.judge();
      const state = walker.changedTables().join(' ');
      if (state !== '' && !seenStates.has(state) && walker.taken.length < stepsMax) {
        seenStates.add(state);
        corpus.push([...walker.taken]);
      }
    }
    if (claims.length === 0) claims = await walker.letTheWorldGoOn();
    taken += walker.taken.length;
    for (const step of walker.taken) reached.add(step.operation);
    if (claims.length === 0) continue;
    const shrunk = await shrink(world, start, walker.taken, claims);
    const kind = shrunk.steps.map(({ operation }) => operation).join(' > ');
    if (!attacks.has(kind)) attacks.set(kind, `after ${index + 1} sequences: ${printAttack(nameOf(start), shrunk.steps, shrunk.claims)}`);
  }
  await world.reset();
  return { attacks: [...attacks.values()], taken, reached, failures };
}

/** What is left of a sequence when every step is taken away that the attack does not need. */
async function shrink(world: World, start: Start, steps: readonly Step[], claims: readonly string[]) {
  let best = { steps: [...steps], claims: [...claims] };
  for (let index = best.steps.length - 1; index >= 0 && best.steps.length > 1; index -= 1) {
    const fewer = best.steps.filter((_step, each) => each !== index);
    const found = await replay(world, start, fewer);
    if (found.length > 0) best = { steps: fewer, claims: found };
  }
  return best;
}

/** The claims of a sequence that is taken as it is; refused steps are passed over. */
export async function replay(world: World, start: Start, steps: readonly Step[]): Promise<string[]> {
  const walker = await createWalker(world, start, new Set());
  for (const step of steps) {
    if (!(await walker.take(step))) continue;
    const claims = await walker.judge();
    if (claims.length > 0) return claims;
  }
  return walker.letTheWorldGoOn();
}

/** Operations that name people, rights or credentials, or have something done in somebody's stead. */
const worthwhile = /user|team|app|token|password|permission|sso|credential|invite|action|run|webhook|entity|migration|blueprint$/i;
const byId = new Map(searched.map((operation) => [operation.id, operation]));

function mayTry(authority: Authority, operationId: string): boolean {
  const operation = byId.get(operationId);
  return operation === undefined || isAllowed(authority, operation);
}

function isAllowed(authority: Authority, operation: Operation): boolean {
  const scope = scopeOf(operation);
  if (operation.access === 'public' || scope === null) return true;
  return covers(authority, operation.access === 'admin' ? 'Admin' : 'Member', scope);
}

/** A step that is likely to be let through and to matter; now and then one that is not. */
function nextStep(walker: Walker, chance: Chance): Step {
  const changed = walker.changedTables();
  if (changed.includes('actions') && chance.happens(0.5)) {
    const action = newest('actions', 'identifier');
    const path = `/v1/actions/${action}/runs`;
    return { by: chance.pick(['attacker', 'mia']), operation: 'startRun', method: 'POST', path, body: { properties: {} } };
  }
  if (changed.includes('webhooks') && chance.happens(0.5)) {
    const path = `/ingest/${chance.pick(parameters['webhook_key'] ?? [])}`;
    return { by: 'attacker', operation: 'ingestWebhook', method: 'POST', path, body: { role: 'Admin' } };
  }
  if (chance.happens(0.12)) return { by: 'attacker', ...surfaceWish(chance) };
  const weights = searched.map((operation) => weightOf(operation, walker.attacker.authority));
  let at = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = searched.find((_operation, index) => {
    at -= weights[index] ?? 0;
    return at <= 0;
  });
  return { by: 'attacker', ...wishFor(chosen ?? chance.pick(searched), chance) };
}

function weightOf(operation: Operation, authority: Authority): number {
  const isWorthwhile = worthwhile.test(operation.id);
  const isWriting = operation.method !== 'GET';
  if (!isAllowed(authority, operation)) return isWorthwhile && isWriting ? 0.02 : 0.003;
  if (!isWriting) return 0.05;
  return isWorthwhile ? 8 : 2;
}
