import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { rounds } from '../../../../test/rounds.ts';

let app: TestApp;
let receiver: Receiver;
let approver: string;
beforeAll(async () => {
  app = await createTestApp();
  approver = await app.organization.approverToken();
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  receiver.received.length = 0;
});

const runs = '/v1/actions/runs';
const body = (identifier: string, more: object = {}) => ({
  identifier,
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { n: { type: 'number', maximum: 100 } } },
  },
  invocationMethod: {
    type: 'WEBHOOK',
    url: `${receiver.url}/run`,
    body: { run: '{{ .run.id }}', n: '{{ .inputs.n }}' },
  },
  ...more,
});

async function action(more: object = {}): Promise<string> {
  const identifier = unique('act');
  expect((await app.request('POST', '/v1/actions', { body: body(identifier, more) })).status).toBe(201);
  return identifier;
}

async function draft(name: string, n: number, token?: string) {
  const answer = await app.request('POST', `/v1/actions/${name}/runs?draft=true`, {
    body: { properties: { n } },
    ...(token ? { token } : {}),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.run as { id: string; status: string; draft: { inputsHash: string; expiresAt: string } };
}

const decide = (id: string, status: string, inputsHash?: string, token = approver) =>
  app.request('PATCH', `${runs}/${id}/approval`, { body: { status, inputsHash }, token });
const edit = (id: string, n: number) => app.request('PATCH', `${runs}/${id}/draft`, { body: { properties: { n } } });
const sent = () => receiver.received.map(({ body: text }) => JSON.parse(text));

test('a draft executes nothing, is listed only where drafts are asked for, and runs once when approved', async () => {
  const name = await action();
  const made = await draft(name, 5);
  expect(made).toMatchObject({ status: 'DRAFT', properties: { n: 5 } });
  await app.app.jobs.drain();
  expect(sent()).toEqual([]);
  const list = async (query: string) =>
    (await app.request('GET', `${runs}?action=${name}${query}`)).body.runs.map((run: { id: string }) => run.id);
  expect(await list('')).toEqual([]);
  expect(await list('&status=DRAFT')).toEqual([made.id]);
  const approved = await decide(made.id, 'APPROVE', made.draft.inputsHash);
  expect([approved.status, approved.body.run.status]).toEqual([201, 'IN_PROGRESS']);
  const again = await decide(made.id, 'APPROVE', made.draft.inputsHash);
  expect([again.status, again.body.run.id]).toEqual([201, made.id]);
  await app.app.jobs.drain();
  expect(sent()).toEqual([{ run: made.id, n: 5 }]);
});

describe('refused, and nothing runs', () => {
  test('without the hash, with another, with an older one after an edit', async () => {
    const made = await draft(await action(), 5);
    const { inputsHash } = made.draft;
    expect((await decide(made.id, 'APPROVE')).status).toBe(422);
    expect((await decide(made.id, 'APPROVE', 'sha256:0')).body.error).toBe('draft_changed');
    const edited = await edit(made.id, 6);
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    const fresh = edited.body.run.draft.inputsHash;
    expect(fresh).not.toBe(inputsHash);
    expect((await decide(made.id, 'APPROVE', inputsHash)).body.error).toBe('draft_changed');
    await app.app.jobs.drain();
    expect(sent()).toEqual([]);
    expect((await decide(made.id, 'APPROVE', fresh)).status).toBe(201);
    await app.app.jobs.drain();
    expect(sent()).toEqual([{ run: made.id, n: 6 }]);
  });

  test('when its action changed or is gone', async () => {
    const name = await action();
    const made = await draft(name, 5);
    await app.request('PUT', `/v1/actions/${name}`, { body: body(name, { title: 'Other' }) });
    expect((await decide(made.id, 'APPROVE', made.draft.inputsHash)).body.error).toBe('draft_changed');
    await app.request('DELETE', `/v1/actions/${name}`);
    expect([403, 409]).toContain((await decide(made.id, 'APPROVE', made.draft.inputsHash)).status);
    await app.app.jobs.drain();
    expect(sent()).toEqual([]);
  });

  test('when whoever asked lost the right, or never had it', async () => {
    const identifier = `${unique('asker')}@example.com`;
    const properties = { status: 'Active', port_role: 'Member' };
    await createEntity(app.request, '_user', { identifier, properties });
    const token = await app.organization.personToken(identifier);
    const name = await action();
    const made = await draft(name, 5, token);
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute: { roles: ['Admin'] } } });
    expect((await decide(made.id, 'APPROVE', made.draft.inputsHash)).body.error).toBe('draft_changed');
    expect([403, 404]).toContain((await decide(made.id, 'APPROVE', made.draft.inputsHash, token)).status);
    const own = await app.request('POST', `/v1/actions/${name}/runs?draft=true`, { token, body: { properties: {} } });
    expect([403, 404]).toContain(own.status);
    await app.app.jobs.drain();
    expect(sent()).toEqual([]);
  });

  test('by an invalid edit, which leaves it as it was', async () => {
    const made = await draft(await action(), 5);
    expect((await edit(made.id, 1000)).status).toBe(422);
    expect((await decide(made.id, 'APPROVE', made.draft.inputsHash)).status).toBe(201);
  });
});

test('nobody approves a draft that expired; it is declined by itself', async () => {
  const own = await createTestApp();
  try {
    await own.request('POST', '/v1/actions', { body: body('late') });
    const { run } = (await own.request('POST', '/v1/actions/late/runs?draft=true', { body: { properties: { n: 5 } } }))
      .body;
    own.clock.advance(7 * 86_400_000);
    const { clientId, clientSecret } = own.organization;
    const signedIn = await own.request('POST', '/v1/auth/access_token', {
      token: null,
      body: { clientId, clientSecret },
    });
    const token = signedIn.body.accessToken;
    const decision = { status: 'APPROVE', inputsHash: run.draft.inputsHash };
    const refused = await own.request('PATCH', `${runs}/${run.id}/approval`, { token, body: decision });
    expect(refused.body.error).toBe('draft_expired');
    // the first drain only registers the schedule
    await own.app.jobs.drain();
    own.clock.advance(10 * 60_000);
    await own.app.jobs.drain();
    const after = (await own.request('GET', `${runs}/${run.id}`, { token })).body.run;
    expect(after).toMatchObject({ status: 'DECLINED', statusLabel: 'Expired' });
    expect(sent()).toEqual([]);
  } finally {
    await own.close();
  }
});

test('the approval that the action asks for comes after the draft, and neither skips the other', async () => {
  const name = await action({ requiredApproval: true });
  const made = await draft(name, 5);
  const first = await decide(made.id, 'APPROVE', made.draft.inputsHash);
  expect(first.body.run.status).toBe('WAITING_FOR_APPROVAL');
  const replayed = await decide(made.id, 'APPROVE', made.draft.inputsHash);
  expect(replayed.body.run.status).toBe('WAITING_FOR_APPROVAL');
  await app.app.jobs.drain();
  expect(sent()).toEqual([]);
  expect((await decide(made.id, 'APPROVE')).body.run.status).toBe('IN_PROGRESS');
  await app.app.jobs.drain();
  expect(sent()).toEqual([{ run: made.id, n: 5 }]);
});

test('of decisions and edits at once, what runs is what was approved, once', async () => {
  for (let round = 0; round < 5; round += 1) {
    receiver.received.length = 0;
    const made = await draft(await action(), 5);
    const { inputsHash } = made.draft;
    const answers = await Promise.all([
      decide(made.id, 'APPROVE', inputsHash),
      edit(made.id, 9),
      decide(made.id, 'APPROVE', inputsHash),
      decide(made.id, 'DECLINE', inputsHash),
    ]);
    await app.app.jobs.drain();
    const { run } = (await app.request('GET', `${runs}/${made.id}`)).body;
    const wasApproved = answers[0].status === 201 || answers[2].status === 201;
    if (run.status === 'IN_PROGRESS') {
      expect(wasApproved).toBe(true);
      expect(sent()).toEqual([{ run: made.id, n: 5 }]);
    } else expect(sent()).toEqual([]);
  }
});

/** The expected draft: what it would run, and whether the two gates are open. */
interface Model {
  n: number;
  hash: string;
  status: 'DRAFT' | 'WAITING_FOR_APPROVAL' | 'IN_PROGRESS' | 'DECLINED';
  isActionSame: boolean;
  readonly hashes: string[];
}

type Step = 'approve' | 'approve old' | 'approve bare' | 'decline' | 'edit' | 'change action' | 'drain';

test('whatever is tried in whatever order, the run follows the model and sends only what was approved', async () => {
  const step = fc.constantFrom<Step>(
    'approve',
    'approve old',
    'approve bare',
    'decline',
    'edit',
    'change action',
    'drain',
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 1, maxLength: 8 }), async (needsApproval, steps) => {
      receiver.received.length = 0;
      const more = needsApproval ? { requiredApproval: true } : {};
      const name = await action(more);
      const made = await draft(name, 1);
      const { inputsHash: hash } = made.draft;
      const model: Model = { n: 1, hash, status: 'DRAFT', isActionSame: true, hashes: [hash] };
      for (const each of steps) await take(each, { name, id: made.id, more, needsApproval }, model);
      await app.app.jobs.drain();
      const { run } = (await app.request('GET', `${runs}/${made.id}`)).body;
      expect(run.status).toBe(model.status);
      expect(sent()).toEqual(model.status === 'IN_PROGRESS' ? [{ run: made.id, n: model.n }] : []);
    }),
    { numRuns: rounds(12), seed: 20_261_121 },
  );
});

interface Subject {
  readonly name: string;
  readonly id: string;
  readonly more: object;
  readonly needsApproval: boolean;
}

async function take(step: Step, { name, id, more, needsApproval }: Subject, model: Model): Promise<void> {
  switch (step) {
    case 'approve':
      await decide(id, 'APPROVE', model.hash);
      if (model.status === 'DRAFT' && model.isActionSame) {
        model.status = needsApproval ? 'WAITING_FOR_APPROVAL' : 'IN_PROGRESS';
      }
      return;
    case 'approve old':
      // an older hash never approves the draft; at the second gate it repeats the first approval or does nothing
      if (model.status === 'DRAFT' && model.hashes.length > 1) await decide(id, 'APPROVE', model.hashes[0]);
      return;
    case 'approve bare':
      await decide(id, 'APPROVE');
      if (model.status === 'WAITING_FOR_APPROVAL') model.status = 'IN_PROGRESS';
      return;
    case 'decline':
      await decide(id, 'DECLINE', model.hash);
      if (model.status === 'DRAFT' || model.status === 'WAITING_FOR_APPROVAL') model.status = 'DECLINED';
      return;
    case 'edit': {
      const answer = await edit(id, model.n + 1);
      if (model.status !== 'DRAFT') return expect(answer.body.error).toBe('run_ended');
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      model.n += 1;
      model.hash = answer.body.run.draft.inputsHash;
      model.hashes.push(model.hash);
      // an edit binds the draft to the current action
      model.isActionSame = true;
      return;
    }
    case 'change action':
      await app.request('PUT', `/v1/actions/${name}`, { body: body(name, { ...more, title: unique('title') }) });
      model.isActionSame = false;
      return;
    default:
      await app.app.jobs.drain();
  }
}
