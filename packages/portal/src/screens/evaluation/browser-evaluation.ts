import { type EvaluationApi, type GraderKit, initEvaluation } from '@portolan/evaluation';
import { createSafeRegex } from '@portolan/jq';
import { ApiError, call, errorCode } from '../../api/api.ts';
import { followAnswer } from '../../parts/ai/follow-answer.ts';
import { newInvocationId } from '../../parts/ai/question-memory.ts';

/** Patterns in linear time alone: nothing could interrupt others here. JSON schemas would need code that the page forbids. */
export const browserGraderKit: GraderKit = {
  compilePattern: (pattern, flags = '') => createSafeRegex(pattern, { flags }),
};

/** The requests of an evaluation, made as the person who looks at the screen. */
export const browserEvaluationApi: EvaluationApi = {
  ask: async (id, { userPrompt, labels, context: _, ...question }, signal) => {
    let last: string | undefined;
    await followAnswer({
      id,
      question: { ...question, text: userPrompt, labels: labels as Record<string, string> },
      lastEventId: () => last,
      onEvents: (events) => {
        last = events.at(-1)?.event.id ?? last;
      },
      onConnection: () => {},
      signal,
    });
    // a stop ends the following without an error
    signal.throwIfAborted();
  },
  cancel: (id) => call('cancelInvocation', { params: { invocation_identifier: id } }),
  readInvocation: async (id) => (await call('getInvocation', { params: { invocation_identifier: id } })).result,
  readEvidence: async (id) => (await call('getInvocationEvidence', { params: { invocation_identifier: id } })).evidence,
  declineDraft: (run, inputsHash) =>
    call('decideRun', {
      params: { run_id: run },
      body: { status: 'DECLINE', inputsHash, description: 'Drafted in an evaluation' },
    }),
  search: (blueprint, body) =>
    call('searchBlueprintEntities', { params: { blueprint_identifier: blueprint }, body: { ...body } }),
  explainRefusal: (error) =>
    error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : undefined,
  newIdentifier: newInvocationId,
};

/** Makes the blueprints of evaluation and example cases; what is there is left as it is. */
export function setUpEvaluation() {
  return initEvaluation({
    listBlueprints: async () => (await call('listBlueprints')).blueprints,
    createBlueprint: (body) => call('createBlueprint', { body }),
    createCase: async (blueprint, body) => {
      try {
        await call('createEntity', { params: { blueprint_identifier: blueprint }, body });
        return true;
      } catch (error) {
        if (errorCode(error) === 'identifier_taken') return false;
        throw error;
      }
    },
  });
}
