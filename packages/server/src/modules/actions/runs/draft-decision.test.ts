import type { RunDraft, RunStatus } from '@portolan/contract/action-runs';
import { expect, test } from 'vitest';
import { type DraftFacts, refusalOfDecision } from './draft-decision.ts';
import { hashInputs } from './inputs-hash.ts';
import { nextStatus } from './run-state.ts';

/**
 * The life of one draft under the production decision functions: clients read, wait and decide late; edits, changed
 * rights, agents and actions happen in between; processes die before their commit; decisions are repeated.
 */
interface World {
  status: RunStatus;
  content: number;
  draft: RunDraft;
  readonly needsApproval: boolean;
  actionVersion: number | undefined;
  isAgentActive: boolean;
  requesterMay: boolean;
  now: number;
  /** Contents given to the backend. */
  readonly sent: number[];
  readonly approvals: { readonly hash: string; readonly content: number; readonly wasSound: boolean }[];
}

interface Client {
  seen: { readonly hash: string; readonly version: number | undefined; readonly requesterMay: boolean } | undefined;
}

const expiresAt = 1_000;
const buildHash = (content: number, version: number): string =>
  hashInputs({
    action: 'a',
    actionVersion: String(version),
    properties: { n: content },
    blueprint: null,
    entity: null,
    requester: 'r',
  });

function buildDraft(content: number, version: number): RunDraft {
  return {
    inputsHash: buildHash(content, version),
    actionVersion: String(version),
    requester: 'r',
    agent: 'ops',
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** A deterministic generator, so that a failing seed can be replayed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}

function play(seed: number): World {
  const random = randomFrom(seed);
  const world: World = {
    status: 'DRAFT',
    content: 1,
    draft: buildDraft(1, 1),
    needsApproval: random(4) === 0,
    actionVersion: 1,
    isAgentActive: true,
    requesterMay: true,
    now: 0,
    sent: [],
    approvals: [],
  };
  const clients: Client[] = [{ seen: undefined }, { seen: undefined }, { seen: undefined }];
  for (let step = 0; step < 14; step++) {
    const client = clients[random(clients.length)]!;
    const event = random(16);
    if (event < 4) read(world, client);
    else if (event < 8) decide(world, client, 'APPROVE', random(8) === 0);
    else if (event === 8) decide(world, client, 'DECLINE', random(8) === 0);
    else if (event < 11) edit(world, client, 1 + random(3));
    else if (event === 11) world.isAgentActive = !world.isAgentActive;
    else if (event === 12) world.actionVersion = random(5) === 0 ? undefined : (world.actionVersion ?? 0) + 1;
    else if (event === 13) world.requesterMay = !world.requesterMay;
    else if (event === 14) world.now += random(3) === 0 ? expiresAt : 10;
    else client.seen = undefined;
  }
  return world;
}

function read(world: World, client: Client): void {
  const { draft, actionVersion: version, requesterMay } = world;
  client.seen = { hash: draft.inputsHash, version, requesterMay };
}

/** Decides late, on the state read before; a process that dies before its commit changes nothing. */
function decide(world: World, { seen }: Client, status: 'APPROVE' | 'DECLINE', dies: boolean): void {
  if (!seen || world.status !== 'DRAFT') return;
  const facts: DraftFacts = {
    now: new Date(world.now),
    actionVersion: world.actionVersion,
    seenVersion: seen.version,
    requesterMay: seen.requesterMay,
    isAgentActive: world.isAgentActive,
  };
  if (refusalOfDecision({ id: 'r', draft: world.draft }, { status, inputsHash: seen.hash }, facts) || dies) return;
  const event = status === 'APPROVE' ? 'approve' : 'decline';
  const next = nextStatus(world.status, event, { needsApproval: world.needsApproval });
  if (!next) return;
  if (status === 'APPROVE') {
    const wasSound =
      world.isAgentActive && world.now < expiresAt && String(world.actionVersion) === world.draft.actionVersion;
    world.approvals.push({ hash: seen.hash, content: world.content, wasSound });
  }
  world.status = next;
  if (next === 'IN_PROGRESS') world.sent.push(world.content);
}

/** Edits the draft if the client read its current version; the edit binds it to the current action. */
function edit(world: World, { seen }: Client, content: number): void {
  const { actionVersion: version } = world;
  if (world.status !== 'DRAFT' || seen?.hash !== world.draft.inputsHash || version === undefined) return;
  world.content = content;
  world.draft = buildDraft(content, version);
}

test('in 100,000 interleavings nothing is executed without an approval of exactly that content, nor twice', () => {
  let executed = 0;
  let declined = 0;
  for (let seed = 0; seed < 100_000; seed++) {
    const { sent, approvals, status, draft } = play(seed);
    executed += sent.length;
    if (status === 'DECLINED') declined += 1;
    if (sent.length > 1 || approvals.length > 1) expect.fail(`seed ${seed}: it ran twice`);
    for (const content of sent) {
      const approval = approvals[0];
      const isExact =
        approval?.hash === buildHash(content, Number(draft.actionVersion)) && approval.content === content;
      if (!isExact || !approval.wasSound) expect.fail(`seed ${seed}: ${content} was executed without its approval`);
    }
    if (sent.length > 0 && status !== 'IN_PROGRESS') expect.fail(`seed ${seed}: executed in ${status}`);
  }
  // enough plays reach an execution or a decline
  expect(executed).toBeGreaterThan(5_000);
  expect(declined).toBeGreaterThan(1_000);
});

const run = { id: 'r', draft: buildDraft(1, 1) };
const sound: DraftFacts = {
  now: new Date(0),
  actionVersion: 1,
  seenVersion: 1,
  requesterMay: true,
  isAgentActive: true,
};
const decision = { status: 'APPROVE', inputsHash: run.draft.inputsHash } as const;

test.each<[string, Partial<DraftFacts> | undefined, string]>([
  ['expired at this very moment', { now: new Date(expiresAt) }, 'draft_expired'],
  ['its expiry cannot be read', { now: new Date(Number.NaN) }, 'draft_expired'],
  ['the action changed', { actionVersion: 2 }, 'draft_changed'],
  ['the action changed after the rights were asked', { seenVersion: 2 }, 'draft_changed'],
  ['the action is gone', { actionVersion: undefined }, 'draft_changed'],
  ['both are unknown', { actionVersion: undefined, seenVersion: undefined }, 'draft_changed'],
  ['the requester lost the right', { requesterMay: false }, 'draft_changed'],
  ['the agent is off', { isAgentActive: false }, 'draft_changed'],
  ['nothing is known', undefined, 'draft_changed'],
])('a draft is not approved where %s', (_name, facts, code) => {
  expect(refusalOfDecision(run, decision, { ...sound })).toBeUndefined();
  expect(refusalOfDecision(run, decision, facts && { ...sound, ...facts })?.code).toBe(code);
});

test('a draft is decided by its hash alone, and not before its secrets are filled', () => {
  expect(refusalOfDecision(run, { status: 'APPROVE' }, sound)?.code).toBe('invalid_request');
  expect(refusalOfDecision(run, { status: 'DECLINE', inputsHash: 'sha256:0' }, sound)?.code).toBe('draft_changed');
  expect(refusalOfDecision(run, { ...decision, status: 'DECLINE' }, undefined)).toBeUndefined();
  const open = { ...run, draft: { ...run.draft, missing: ['token'] } };
  expect(refusalOfDecision(open, decision, sound)?.details).toMatchObject([{ path: '/properties/token' }]);
  const { agent: _agent, ...byPerson } = run.draft;
  expect(refusalOfDecision({ ...run, draft: byPerson }, decision, { ...sound, isAgentActive: false })).toBeUndefined();
  expect(refusalOfDecision({ ...run, draft: null }, decision, sound)?.code).toBe('draft_changed');
});
