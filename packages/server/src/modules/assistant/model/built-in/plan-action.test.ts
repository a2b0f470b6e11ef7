import { describe, expect, test } from 'vitest';
import { type Answers, answers, ask } from '../../../../../test/planner-world.ts';

describe('actions', () => {
  const offered: Answers = {
    ...answers,
    run_restart_service: () => ({ mode: 'draft', runId: 'r_1', url: 'http://x/r_1' }),
  };
  const schemas = {
    run_restart_service: { type: 'object', properties: { service: { type: 'string' } }, required: ['service'] },
  };

  test('are named with the inputs that are missing', async () => {
    const { calls, text } = await ask('Please restart a service', offered, schemas);
    expect(calls).toEqual([]);
    expect(text).toContain('`run_restart_service`. It also needs `service`');
  });

  test('are called when everything is given, and a draft is said to be one', async () => {
    const { calls, text } = await ask('restart service service=billing-api', offered, schemas);
    expect(calls).toEqual([{ name: 'run_restart_service', args: { service: 'billing-api' } }]);
    expect(text).toContain('Nothing ran yet');
  });

  const onService = {
    ...answers,
    run_act_17: () => ({ mode: 'executed', status: 'IN_PROGRESS', runId: 'r_1', url: 'http://x/r_1' }),
  };
  const ofService = {
    run_act_17: {
      type: 'object',
      properties: {
        entity: { type: 'string', description: 'Identifier of the service to act on' },
        replicas: { type: 'number' },
      },
      required: ['entity'],
    },
  };
  const titled = { run_act_17: 'Scale service: more of it\nRuns it.' };

  test('are found by their title, on the thing that is named, with the inputs that are given', async () => {
    const said = 'Run "Scale service" on billing-api replicas=3';
    const { calls, text } = await ask(said, onService, ofService, titled);
    expect(calls.at(-1)).toEqual({ name: 'run_act_17', args: { entity: 'billing-api', replicas: 3 } });
    expect(text).toContain('was started (IN_PROGRESS). http://x/r_1');
  });

  test('do not run on a thing that is not there', async () => {
    const nothing = { ...onService, search_entities: () => ({ total: 0, entities: [] }) };
    const { calls, text } = await ask('run Scale service on moon-base', nothing, ofService, titled);
    expect(calls.map(({ name }) => name)).not.toContain('run_act_17');
    expect(text).toContain('found nothing called `moon-base`');
  });

  test('that are not on offer do not run, and the answer says how they would be', async () => {
    expect((await ask('delete billing-api')).text).toContain('No action is on offer');
  });
});
