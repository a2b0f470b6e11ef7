import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { TrustedSources } from './trusted-sources.tsx';

const hook = { kind: 'webhook', identifier: 'alerts' } as const;
const policy = {
  injection: 'enforce',
  observedUntil: null,
  risks: {},
  trustedSources: [hook],
  receipts: 'off',
} as const;

async function show(change: () => never | object = () => ({ ok: true, policy })) {
  const sent = fakeApi({
    listIntegrations: () => ({ ok: true, integrations: [{ installationId: 'jira', title: null }] }) as never,
    listWebhooks: () => ({ ok: true, integrations: [{ identifier: 'alerts', title: 'Alerts' }] }) as never,
    listSources: () => ({ ok: true, sources: [{ identifier: 'repos', title: 'Repositories' }] }) as never,
    putAiPolicy: change as never,
  });
  await draw(<TrustedSources policy={{ ...policy, trustedSources: [...policy.trustedSources] }} />);
  const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
  const changes = () => sent.filter(({ name }) => name === 'putAiPolicy').map(({ sent: { body } }) => body);
  return { boxes, changes };
}

test('all that brings text from elsewhere is listed, and what is trusted is ticked', async () => {
  const { boxes } = await show();
  expect(boxes.map(({ checked, labels }) => [labels?.[0]?.textContent, checked])).toEqual([
    ['jira (integration)', false],
    ['Alerts (webhook)', true],
    ['Repositories (source)', false],
  ]);
});

test('ticking sends the whole list, and leaves the rest of the policy as it is', async () => {
  const { boxes, changes } = await show();
  fireEvent.click(boxes[2] as HTMLElement);
  await expect
    .poll(changes)
    .toEqual([{ injection: 'enforce', trustedSources: [hook, { kind: 'source', identifier: 'repos' }] }]);
});

test('taking the tick away sends it without', async () => {
  const { boxes, changes } = await show();
  fireEvent.click(boxes[1] as HTMLElement);
  await expect.poll(changes).toEqual([{ injection: 'enforce', trustedSources: [] }]);
});

test('a refusal is said', async () => {
  const { boxes } = await show(() => {
    throw new Refused(400, 'invalid_request', 'The webhook lets in what nobody signed');
  });
  fireEvent.click(boxes[0] as HTMLElement);
  expect(await screen.findByText(/nobody signed/)).toBeTruthy();
});
