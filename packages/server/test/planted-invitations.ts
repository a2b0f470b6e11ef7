import type { Answer, TestApp } from './build-test-app.ts';
import type { Canaries } from './canaries.ts';

interface Plants {
  readonly app: TestApp;
  readonly canaries: Canaries;
  readonly keep: (answer: Answer) => void;
}

/** Links of invitations, and all that is answered about them to others than who made them. */
export async function plantInvitations({ app, canaries, keep }: Plants): Promise<void> {
  const guest = 'guest@example.com';
  const invitation = await app.request('POST', '/v1/invitations', { body: { email: guest } });
  canaries.add('invitation', invitation.body.link.token);
  const again = await app.request('POST', `/v1/invitations/${guest}/renew`, { body: {} });
  canaries.add('renewed invitation', again.body.link.token);
  for (const { body } of [invitation, again]) {
    const looked = { token: body.link.token };
    keep(await app.request('POST', '/v1/auth/password-links/look', { token: null, body: looked }));
    keep(
      await app.request('POST', '/v1/auth/password-links/redeem', { token: null, body: { ...looked, password: 'x' } }),
    );
  }
  keep(await app.request('GET', '/v1/invitations'));
  keep(await app.request('DELETE', `/v1/invitations/${guest}`));
}
