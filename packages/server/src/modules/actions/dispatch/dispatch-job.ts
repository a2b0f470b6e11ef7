import { z } from 'zod';

export const dispatchInput = z.object({ runId: z.string() });
export type DispatchInput = typeof dispatchInput;
