import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { ReceiptsBlock } from './receipts-block.tsx';

test('answers that are not backed can be held back, and the rest of the policy stays', async () => {
  const policy = {
    injection: 'observe',
    observedUntil: null,
    risks: { drop: 'never' },
    trustedSources: [],
    receipts: 'off',
  };
  const sent = fakeApi({
    getAiPolicy: () => ({ ok: true, policy }) as never,
    putAiPolicy: () => ({ ok: true, policy }) as never,
  });
  await draw(<ReceiptsBlock />);
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'They are marked' })).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'The answer is held back' }));
  const changes = () => sent.filter(({ name }) => name === 'putAiPolicy').map(({ sent: { body } }) => body);
  await expect.poll(changes).toEqual([{ injection: 'observe', receipts: 'strict' }]);
});
