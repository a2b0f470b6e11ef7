import { randomUUID } from 'node:crypto';
import { decideRun } from '@portolan/contract/action-runs';
import { cancelInvocation, getInvocation, getInvocationEvidence } from '@portolan/contract/assistant-operations';
import { createBlueprint, listBlueprints } from '@portolan/contract/blueprints';
import { ApiError, type Client } from '@portolan/contract/client';
import { createEntity } from '@portolan/contract/entities';
import { searchBlueprintEntities } from '@portolan/contract/search';
import type { EvaluationApi, SetupApi } from '@portolan/evaluation';
import { followInvocation } from '../ask/follow-invocation.ts';
import type { Context } from '../context.ts';

/** The requests of an evaluation over the typed client; an answer whose stream breaks is followed again. */
export function evaluationApi(client: Client, { wait }: Pick<Context, 'wait'>): EvaluationApi {
  const toParams = (identifier: string) => ({ params: { invocation_identifier: identifier } });
  return {
    ask: async (identifier, request, signal) => {
      const events = followInvocation({ client, identifier, request, signal, wait, onBreak: () => {} });
      for await (const event of events) if (event.event === 'done') break;
    },
    cancel: (identifier) => client.call(cancelInvocation, toParams(identifier)),
    readInvocation: async (identifier) => (await client.call(getInvocation, toParams(identifier))).result,
    readEvidence: async (identifier) => (await client.call(getInvocationEvidence, toParams(identifier))).evidence,
    declineDraft: (run, inputsHash) => {
      const body = { status: 'DECLINE', inputsHash, description: 'Drafted in an evaluation' } as const;
      return client.call(decideRun, { params: { run_id: run }, body });
    },
    search: (blueprint, body) =>
      client.call(searchBlueprintEntities, { params: { blueprint_identifier: blueprint }, body }),
    explainRefusal: (error) =>
      error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : undefined,
    newIdentifier: randomUUID,
  };
}

export function setupApi(client: Client): SetupApi {
  return {
    listBlueprints: async () => (await client.call(listBlueprints)).blueprints,
    createBlueprint: (body) => client.call(createBlueprint, { body }),
    createCase: async (blueprint, body) => {
      try {
        await client.call(createEntity, { params: { blueprint_identifier: blueprint }, body });
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.body?.error === 'identifier_taken') return false;
        throw error;
      }
    },
  };
}
