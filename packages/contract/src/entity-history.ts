import { z } from 'zod';
import { unknownPart } from './as-of.ts';
import { blueprintParams } from './blueprints.ts';
import { entityParams } from './entities.ts';
import { operation } from './operation.ts';
import { queryInteger, queryMoment, queryText } from './wire.ts';

const requiredMoment = () =>
  queryMoment()
    .refine((moment) => moment !== undefined, 'is required')
    .transform((moment) => moment as Date);

const between = z.object({ from: requiredMoment(), to: requiredMoment() });
const isBackwards = ({ from, to }: { readonly from: Date; readonly to: Date }) => to < from;
const notBackwards = { message: 'must not be before `from`', path: ['to'] };

/** A part that differs; a value that is not set is null. */
const difference = z.object({ path: z.string(), before: z.json(), after: z.json() });
export type Difference = z.output<typeof difference>;

/** What became of an entity between two moments. */
export const changeKinds = ['created', 'changed', 'deleted', 'none'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const entityChange = z.object({
  /** Its identifier at the end, or the last one that it had. */
  identifier: z.string(),
  title: z.string().nullable(),
  change: z.enum(changeKinds),
  differences: z.array(difference),
  unknown: z.array(unknownPart),
});
export type EntityChange = z.output<typeof entityChange>;

const unknownToo =
  'Parts that the journal does not tell are not compared, and named in `unknown`. The token needs the scope `read:audit-log` too.';

export const getEntityChanges = operation({
  id: 'getEntityChanges',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}/changes',
  tag: 'Entities',
  summary: 'Read what changed of an entity between two moments',
  description: `Compares the entity as it was at \`from\` with what it was at \`to\`. ${unknownToo} Example: \`?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z\`.`,
  access: 'token',
  params: entityParams,
  query: between.refine((range) => !isBackwards(range), notBackwards),
  answer: z.object({ ok: z.literal(true), change: entityChange }),
  errors: ['not_found', 'history_not_kept'],
});

export const listEntityChanges = operation({
  id: 'listEntityChanges',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entity-changes',
  tag: 'Entities',
  summary: 'List the entities of a blueprint that changed between two moments',
  description: `Each entity once, in the order of its first change, with what differs between \`from\` and \`to\`. Entities that were created and deleted in between, or are again as they were, are left out, so that a page may have fewer entries than \`limit\`; \`next\` is absent on the last one. Deleted entities are told to administrators alone. ${unknownToo} Example: \`?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z\`.`,
  access: 'token',
  params: blueprintParams,
  query: between
    .extend({ limit: queryInteger({ min: 1, max: 200, default: 100 }), next: queryText() })
    .refine((range) => !isBackwards(range), notBackwards),
  answer: z.object({
    ok: z.literal(true),
    changes: z.array(entityChange),
    includesDeleted: z.boolean(),
    next: z.string().optional(),
  }),
  errors: ['not_found', 'history_not_kept'],
});

export const entityHistoryOperations = [getEntityChanges, listEntityChanges] as const;
