import { expect, test } from 'vitest';
import { emptyWebhook, missingSecurity, securityPresets, toWebhookBody } from './webhook-values.ts';

test('what was emptied is taken away, and half a signature says what it lacks', () => {
  const values = { ...emptyWebhook, title: ' Builds ', ...securityPresets[0]!.values };
  expect(missingSecurity(values)).toBe('Nothing is let in without a secret.');
  expect(missingSecurity(emptyWebhook)).toBeUndefined();
  expect(missingSecurity({ ...values, secret: 's' })).toBeUndefined();
  expect(toWebhookBody({ ...values, secret: 's' })).toMatchObject({
    title: 'Builds',
    description: null,
    security: { secret: 's', signaturePrefix: 'sha256=' },
  });
  expect(toWebhookBody(emptyWebhook)).toEqual({ title: '', description: null, enabled: true, security: {} });
});
