import { z } from 'zod';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

export const checklistItemIds = [
  'model',
  'source',
  'data',
  'teams',
  'owners',
  'fresh',
  'colleague',
  'rule',
  'answer',
  'action',
  'safe',
] as const;
const checklistItemId = z.enum(checklistItemIds);
export type ChecklistItemId = z.output<typeof checklistItemId>;

const checklistItem = z.object({
  id: checklistItemId,
  title: z.string(),
  done: z.boolean(),
  /** When it was first found done; looked at every few minutes. */
  doneAt: timestamp.optional(),
  isDismissed: z.boolean(),
  progress: z.object({ is: z.number(), of: z.number() }).optional(),
  /** Without `href` it is done outside the portal, where the server is configured. */
  next: z.object({ text: z.string(), href: z.string().optional() }),
});
export type ChecklistItem = z.output<typeof checklistItem>;

const checklist = {
  ok: z.literal(true),
  items: z.array(checklistItem),
  /** Nobody wants to see it any more. */
  dismissed: z.boolean(),
  /** Home shows the first steps: not enough is there yet, and nobody dismissed them. */
  isFirstRun: z.boolean(),
  /** Whether the demo data is here. */
  holdsDemo: z.boolean(),
};

const tag = 'Organization';

export const getChecklist = operation({
  id: 'getChecklist',
  method: 'GET',
  path: '/v1/checklist',
  scope: 'read:organization',
  tag,
  summary: 'Read the first steps of the organization; each is done or not by what is there, never by a click',
  access: 'token',
  answer: z.object(checklist),
  errors: [],
});

export const patchChecklist = operation({
  id: 'patchChecklist',
  method: 'PATCH',
  path: '/v1/checklist',
  scope: 'update:organization',
  tag,
  summary: 'Dismiss the first steps or some of them for the organization, or bring them back',
  access: 'admin',
  body: z.object({
    dismissed: z.boolean().optional(),
    items: z.partialRecord(checklistItemId, z.object({ isDismissed: z.boolean() })).optional(),
  }),
  unknownFields: 'closed',
  answer: z.object(checklist),
  errors: [],
});

export const checklistOperations = [getChecklist, patchChecklist] as const;
