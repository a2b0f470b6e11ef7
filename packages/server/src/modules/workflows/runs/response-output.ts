import type { StoredResponse } from './node-run.store.ts';

type Response = Pick<StoredResponse, 'responder' | 'button' | 'inputs'>;

/** What an `INPUT` gives to later steps. */
export function responseOutput(outlet: string | null, responses: readonly Response[]) {
  return {
    selectedOutlet: outlet === null ? null : { identifier: outlet },
    responses: responses.map(({ responder, button, inputs }) => ({
      inputs,
      buttonIdentifier: button,
      submitterInfo: { submittedBy: responder },
    })),
  };
}
