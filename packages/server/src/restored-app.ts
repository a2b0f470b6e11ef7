import { checkDerivedValues } from '@portolan/contract/operator';
import { buildApp } from './app.ts';
import { systemClock } from './platform/clock.ts';
import { createDatabase } from './platform/db/database.ts';
import type { Engine } from './platform/db/engine.ts';
import { createLog } from './platform/log.ts';
import { createOutgoing } from './platform/outgoing/outgoing.ts';

const operatorToken = 'of-a-process-that-nobody-can-reach';

/** Asks the application whether derived values are right, over a database that nobody serves. It is never started. */
export function derivedChecker(engine: Engine) {
  const log = createLog('fatal', { write: () => undefined });
  const outgoing = createOutgoing({ allowsPrivateNetwork: false });
  const app = buildApp(
    {
      masterKey: Buffer.alloc(32).toString('base64'),
      operatorToken,
      model: { provider: 'built-in' },
      publicUrl: () => 'http://127.0.0.1',
    },
    { database: createDatabase(engine), clock: systemClock, log, outgoing },
  );
  return {
    check: async (orgId: string): Promise<{ checked: number; differing: number }> => {
      const answer = await app.http.inject({
        method: 'POST',
        url: checkDerivedValues.path.replace('{organization_id}', encodeURIComponent(orgId)),
        headers: { authorization: `Bearer ${operatorToken}` },
      });
      if (answer.statusCode !== 200)
        throw new Error(`The derived values of ${orgId} cannot be computed: ${answer.body}`);
      return answer.json() as { checked: number; differing: number };
    },
    close: async () => {
      await app.close();
      await outgoing.close();
    },
  };
}
