import { z } from 'zod';
import { operation } from './operation.ts';
import { queryInteger, queryText, strictQueryBoolean, timestamp } from './wire.ts';

/** What an import does with an entity that is there already. */
export const importModes = ['merge', 'replace', 'create'] as const;
/** What an import does with a relation to an entity that neither the catalog nor the import has. */
export const missingTargets = ['refuse', 'create', 'omit'] as const;
/** `open` waits for more lines; the others are final. */
const importStatus = z.enum(['open', 'completed', 'failed', 'cancelled', 'undone']);

/** Lines by what became of them; `refused` ones have a problem each, up to a limit. */
const importCounts = z.object({
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Lines whose relations point at entities that may still come. */
  waiting: z.int(),
});
export type ImportCounts = z.output<typeof importCounts>;

const importSchema = z.object({
  id: z.string(),
  /** Of the source whose entities it brings; null for lines that belong to none. */
  source: z.string().nullable(),
  status: importStatus,
  dryRun: z.boolean(),
  mode: z.enum(importModes),
  /** Lines that are counted in `counts`; what follows goes on after this one. */
  lines: z.int(),
  counts: importCounts,
  /** Why it failed. */
  message: z.string().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  endedAt: timestamp.nullable(),
  /** Until when it can be undone; null where it cannot. */
  undoUntil: timestamp.nullable(),
});
export type Import = z.output<typeof importSchema>;

/** A line that was refused. */
export const importProblem = z.object({
  line: z.int(),
  blueprint: z.string().optional(),
  identifier: z.string().optional(),
  error: z.string(),
  message: z.string(),
  /** A JSON pointer into the line. */
  path: z.string().optional(),
});
export type ImportProblem = z.output<typeof importProblem>;

/** What a plan would do with a line; the first 1,000 lines that change something are told. */
export const importChange = z.object({
  line: z.int(),
  blueprint: z.string(),
  identifier: z.string(),
  change: z.enum(['created', 'changed']),
  before: z.record(z.string(), z.json()).optional(),
  after: z.record(z.string(), z.json()),
});
export type ImportChange = z.output<typeof importChange>;

/** After every chunk that is stored. `line` is the last one that is counted. */
export const importProgress = z.object({ chunk: z.int(), line: z.int(), ...importCounts.shape });
export type ImportProgress = z.output<typeof importProgress>;

/** The first line of the answer. */
export const importBegun = z.object({ import: z.string(), lines: z.int() });
/** The last line of the answer; without it, the transfer broke off. */
export const importDone = z.object({
  done: z.literal(true),
  import: z.string(),
  status: importStatus,
  lines: z.int(),
  ...importCounts.shape,
  /** With a source, entities that it brought before and not this time. */
  missing: z.int(),
});
export type ImportDone = z.output<typeof importDone>;

/** A line of the answer: each kind has a member of its own that tells it from the others. */
export type ImportAnswerLine =
  | z.output<typeof importBegun>
  | ImportProgress
  | ImportChange
  | ImportProblem
  | ImportDone
  | { readonly error: string; readonly message: string };

const params = z.object({ import_id: z.string().min(1).max(100) });
const oneImport = z.object({ ok: z.literal(true), import: importSchema });

export const importLines = operation({
  id: 'importLines',
  method: 'POST',
  path: '/v1/imports',
  tag: 'Imports',
  summary: 'Write any number of entities, streamed',
  description:
    'The body is JSON lines, one entity a line in the form of an upsert, with `blueprint` where the query names none. ' +
    'It is read as fast as it is stored, in chunks of 500 lines, each all or nothing; lines stand for ' +
    'themselves. The answer is JSON lines: the import, one for each chunk, each refused line, and at the end the sums. ' +
    'With `more` the import stays open for another request with its id in `import`; after a broken connection, `lines` ' +
    'of the import says from where to go on. With `dry_run` nothing is written and each change is told.\n\n' +
    'The body may also be a table, as `text/csv` or `text/tab-separated-values`, with `blueprint` in the query. The first ' +
    'line has the headings: `identifier` (or `title`, which one is made from), `title`, `icon`, `team`, and the keys or ' +
    'titles of properties and relations, in any case, with blanks or without. A column that is none of these is refused ' +
    'before anything is stored, unless `unknown_columns=ignore`. With a `source` that keeps columns of an upload in the ' +
    'portal, they are read as they were there. Cells are converted to the types of the blueprint; relations and teams ' +
    'may be written as titles; lists are JSON or text with one of line break, `;`, `|` and `,` between the values. An ' +
    'empty cell leaves what there is, unless `empty_cells=clear`. Comma, semicolon, tab and `|` between cells are told ' +
    'apart by the first rows, and so is the encoding where the media type has no `charset`. `line` and `lines` count ' +
    'lines of the file, headings included; to go on, send what follows line `lines`, without the headings.',
  access: 'token',
  scope: 'create:entities',
  workClass: 'bulk',
  readsBodyStream: true,
  answerType: 'application/x-ndjson',
  query: z.object({
    blueprint: queryText(),
    mode: z.enum(importModes).default('merge'),
    missing_targets: z.enum(missingTargets).default('refuse'),
    on_error: z.enum(['continue', 'stop']).default('continue'),
    source: queryText(),
    /** Of a table: columns that the blueprint knows nothing of. */
    unknown_columns: z.enum(['refuse', 'ignore']).default('refuse'),
    /** Of a table: `keep` leaves what an entity has, `clear` empties it. */
    empty_cells: z.enum(['keep', 'clear']).optional(),
    dry_run: strictQueryBoolean(),
    import: queryText(),
    after: queryInteger({ min: 0, max: 1_000_000_000, default: 0 }),
    more: strictQueryBoolean(),
  }),
  answer: z.unknown(),
  errors: ['not_found', 'missing_permissions', 'unsupported_media_type', 'import_out_of_step', 'payload_too_large'],
});

export const listImports = operation({
  id: 'listImports',
  method: 'GET',
  path: '/v1/imports',
  tag: 'Imports',
  summary: 'List the last 100 imports, newest first',
  description: 'Administrators see all, others their own.',
  access: 'token',
  scope: 'read:entities',
  query: z.object({ source: queryText() }),
  answer: z.object({ ok: z.literal(true), imports: z.array(importSchema) }),
  errors: [],
});

export const getImport = operation({
  id: 'getImport',
  method: 'GET',
  path: '/v1/imports/{import_id}',
  tag: 'Imports',
  summary: 'Read an import and how far it is',
  access: 'token',
  scope: 'read:entities',
  params,
  answer: oneImport,
  errors: ['not_found'],
});

export const listImportProblems = operation({
  id: 'listImportProblems',
  method: 'GET',
  path: '/v1/imports/{import_id}/problems',
  tag: 'Imports',
  summary: 'List the lines that an import or a plan refused, the first 10,000',
  description: 'In the order of the lines; `after` is the line after which to begin.',
  access: 'token',
  scope: 'read:entities',
  params,
  query: z.object({ after: queryInteger({ min: 0, max: 1_000_000_000, default: 0 }) }),
  answer: z.object({ ok: z.literal(true), problems: z.array(importProblem) }),
  errors: ['not_found'],
});

export const cancelImport = operation({
  id: 'cancelImport',
  method: 'POST',
  path: '/v1/imports/{import_id}/cancel',
  tag: 'Imports',
  summary: 'End an open import; what is stored stays',
  access: 'token',
  scope: 'create:entities',
  params,
  answer: oneImport,
  errors: ['not_found', 'import_ended'],
});

export const undoImport = operation({
  id: 'undoImport',
  method: 'POST',
  path: '/v1/imports/{import_id}/undo',
  tag: 'Imports',
  summary: 'Take back what an import created and changed',
  description:
    'For imports of a source, within seven days. Entities that were changed since are left as they are and counted.',
  access: 'token',
  scope: 'delete:entities',
  workClass: 'bulk',
  params,
  answer: z.object({
    ok: z.literal(true),
    import: importSchema,
    deleted: z.int(),
    restored: z.int(),
    /** Changed since, or needed by others. */
    left: z.int(),
  }),
  errors: ['not_found', 'missing_permissions', 'not_undoable'],
});

export const importOperations = [
  importLines,
  listImports,
  getImport,
  listImportProblems,
  cancelImport,
  undoImport,
] as const;
