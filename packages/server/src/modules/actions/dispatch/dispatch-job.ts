import { z } from 'zod';

/** The run that is to be handed to its backend. */
export const dispatchInput = z.object({ runId: z.string() });
export type DispatchInput = typeof dispatchInput;
