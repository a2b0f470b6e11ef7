import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { unchanged } from '../accounts/index.ts';
import { insertCredential } from './credential.store.ts';
import { hashSecret } from './secret-hash.ts';

let app: TestApp;
let organization: TestOrganization;
beforeAll(async () => {
  app = await createTestApp({ trustedProxies: ['10.0.0.0/8'] });
});
beforeEach(async () => {
  app.clock.advance(60 * 60 * 1000);
  organization = await app.createOrganization();
});
afterAll(() => app.close());

interface Sent {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly address?: string;
  /** What a proxy, or somebody who says to be one, tells of the caller. */
  readonly forwardedFor?: string;
}

async function ask({ clientId = organization.clientId, clientSecret = 'wrong', address = '192.0.2.1', ...sent }: Sent) {
  const answer = await app.app.http.inject({
    method: 'POST',
    url: '/v1/auth/access_token',
    remoteAddress: address,
    headers: sent.forwardedFor === undefined ? {} : { 'x-forwarded-for': sent.forwardedFor },
    payload: { clientId, clientSecret },
  });
  return { status: answer.statusCode, body: answer.json(), retryAfter: Number(answer.headers['retry-after']) };
}

async function askTimes(times: number, sent: (index: number) => Sent): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await ask(sent(index))).status);
  return statuses;
}

/** Credentials whose secret somebody chose. */
async function chosen(): Promise<Required<Pick<Sent, 'clientId' | 'clientSecret'>>> {
  const clientId = `chosen-${organization.id}`;
  const secretHash = await hashSecret('correct horse');
  await app.database.transaction((tx) =>
    insertCredential(
      tx,
      unchanged({
        orgId: organization.id,
        clientId,
        secretHash,
        role: 'Member',
        userKey: null,
        name: 'Chosen',
        createdAt: app.clock.now(),
      }),
    ),
  );
  return { clientId, clientSecret: 'correct horse' };
}

describe('guessing', () => {
  test.each(['a client id that is there', 'one that is not'])('at %s ends in 429 with Retry-After', async (which) => {
    const { clientId } = organization;
    const asked = which.startsWith('one') ? `${clientId}x` : clientId;
    const statuses = await askTimes(12, () => ({ clientId: asked }));
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await ask({ clientId: asked });
    expect(refused.body).toMatchObject({ ok: false, error: 'too_many_requests' });
    expect(refused.retryAfter).toBe(6);
    app.clock.advance(6000);
    expect(await askTimes(2, () => ({ clientId: asked }))).toEqual([401, 429]);
  });

  test('many client ids from one address ends too, and goes on from others', async () => {
    const statuses = await askTimes(62, (index) => ({ clientId: `guess-${index}` }));
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401));
    expect(statuses.slice(60)).toEqual([429, 429]);
    expect((await ask({ clientId: 'guess', address: '192.0.2.2' })).status).toBe(401);
  });

  test('from the neighbours of one IPv6 address counts as one', async () => {
    const statuses = await askTimes(11, (index) => ({ address: `2001:db8:1:2::${index + 1}` }));
    expect(statuses.at(-1)).toBe(429);
    expect((await ask({ address: '2001:db8:1:3::1' })).status).toBe(401);
  });

  test('behind a proxy counts per caller if the proxy is trusted, and nobody else can say who they are', async () => {
    const trusted = await askTimes(12, (index) => ({ address: '10.1.2.3', forwardedFor: `192.0.2.${index + 20}` }));
    expect(trusted).toEqual(Array(12).fill(401));
    const same = await askTimes(11, () => ({ address: '10.1.2.3', forwardedFor: '203.0.113.1, 192.0.2.60' }));
    expect(same.at(-1)).toBe(429);
    const pretending = await askTimes(11, (index) => ({
      address: '192.0.2.70',
      forwardedFor: `192.0.2.${index + 80}`,
    }));
    expect(pretending.at(-1)).toBe(429);
  });

  test('many at the same moment are counted before they are answered', async () => {
    const { clientId } = await chosen();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask({ clientId, clientSecret: `guess ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });
});

describe('a stranger does not lock out', () => {
  test('whoever has a generated secret, even at the same address', async () => {
    await askTimes(12, () => ({}));
    await askTimes(62, (index) => ({ clientId: `guess-${index}` }));
    expect((await ask({ clientSecret: organization.clientSecret })).status).toBe(200);
  });

  test('whoever chose a secret and comes from another address', async () => {
    const known = await chosen();
    await askTimes(12, () => ({ clientId: known.clientId }));
    expect((await ask({ ...known, address: '192.0.2.7' })).status).toBe(200);
  });

  test('whoever chose a secret and came from this address before, by guessing at other client ids', async () => {
    const known = await chosen();
    expect((await ask(known)).status).toBe(200);
    await askTimes(62, (index) => ({ clientId: `guess-${index}` }));
    expect((await ask(known)).status).toBe(200);
  });
});

test('right answers are not counted, also many at the same moment', async () => {
  const known = await chosen();
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(known)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await askTimes(15, () => known))).toEqual(new Set([200]));
});
