import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, readVersion, timestamp } from './wire.ts';

/** Identifier of a page or folder: as of an action (api contract §1.9), of automatic pages also with `$`, `/` and `\`. */
export const pageIdentifier = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)[\p{L}0-9@_.+:=$\\/-]+$/u, 'may hold letters, digits and @ _ . + : = $ \\ / - only');

export const pageTypes = ['dashboard', 'blueprint-entities', 'entity', 'home'] as const;
export type PageType = (typeof pageTypes)[number];

/** Kept as written; only what drawing needs is checked (api contract §3.8.2). */
const widget = z.looseObject({ type: z.string().min(1).max(100), id: z.string().max(200).optional() });
export type Widget = z.output<typeof widget>;

const pageFilter = z.looseObject({
  identifier: z.string().min(1).max(200),
  title: z.string().max(200).nullish(),
  query: z.looseObject({ combinator: z.enum(['and', 'or']), rules: z.array(z.unknown()) }),
});

/** One client prints null for a key that is not set. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value): z.output<Schema> | undefined => value ?? undefined);
}

/** A page as it is written (api contract §3.8.1). */
export const pageBody = z.object({
  identifier: pageIdentifier.optional(),
  /** The Kubernetes exporter leaves it out. */
  type: z.enum(pageTypes).default('dashboard'),
  title: optional(z.string().max(200)),
  icon: optional(z.string().max(200)),
  description: optional(z.string().max(2000)),
  blueprint: optional(z.string().min(1).max(1000)),
  parent: optional(z.string().max(200)),
  after: optional(z.string().max(200)),
  locked: optional(z.boolean()),
  showInSidebar: optional(z.boolean()),
  visibility: optional(z.enum(['org', 'private'])),
  widgets: optional(z.array(widget).max(200)),
  pageFilters: optional(z.array(pageFilter).max(100)),
  sidebar: optional(z.string().max(100)),
  section: optional(z.string().max(100)),
  requiredQueryParams: optional(z.array(z.string())),
  protected: optional(z.boolean()),
});
export type PageBody = z.output<typeof pageBody>;

/** What was never set is absent, and widgets are as written. */
const pageSchema = z.object({
  identifier: z.string(),
  type: z.enum(pageTypes),
  title: z.string().optional(),
  icon: z.string().optional(),
  description: z.string().optional(),
  blueprint: z.string().optional(),
  parent: z.string().optional(),
  after: z.string().optional(),
  locked: z.boolean().optional(),
  showInSidebar: z.boolean().optional(),
  visibility: z.enum(['org', 'private']).optional(),
  widgets: z.array(z.record(z.string(), z.json())).optional(),
  pageFilters: z.array(z.record(z.string(), z.json())).optional(),
  sidebar: z.string().optional(),
  section: z.string().optional(),
  requiredQueryParams: z.array(z.string()).optional(),
  protected: z.boolean().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Page = z.output<typeof pageSchema>;

const names = z.array(z.string().min(1).max(1000)).max(1000);
const pageGrantBody = z.strictObject({ roles: names.nullish(), users: names.nullish(), teams: names.nullish() });
/** A PATCH of the rights on a page: each list that is sent replaces the stored one (api contract §3.7.3). */
export const pagePermissionsBody = z.strictObject({ read: pageGrantBody.nullish(), update: pageGrantBody.nullish() });
export type PagePermissionsBody = z.output<typeof pagePermissionsBody>;
export type PageGrantBody = z.output<typeof pageGrantBody>;

const pageGrant = z.strictObject({
  roles: z.array(z.string()),
  users: z.array(z.string()),
  teams: z.array(z.string()),
});
const pagePermissions = z.strictObject({ read: pageGrant, update: pageGrant });
export type PagePermissions = z.output<typeof pagePermissions>;

const tag = 'Pages';
const pageParams = z.object({ page_identifier: z.string().min(1).max(1000) });
const widgetParams = pageParams.extend({ widget_id: z.string().min(1).max(1000) });
const onePage = z.object({ ok: z.literal(true), page: pageSchema });
const done = z.object({ ok: z.literal(true) });
const named = z.object({ ok: z.literal(true), identifier: z.string() });

export const listPages = operation({
  id: 'listPages',
  method: 'GET',
  path: '/v1/pages',
  tag,
  summary: 'List the pages the caller may see; `compact=true` leaves widgets and filters out',
  access: 'token',
  query: z.object({ compact: queryBoolean() }),
  answer: z.object({ ok: z.literal(true), pages: z.array(pageSchema) }),
  errors: [],
});

export const createPage = operation({
  id: 'createPage',
  method: 'POST',
  path: '/v1/pages',
  tag,
  summary: 'Create a page; a private one is for its author alone',
  access: 'token',
  status: 201,
  body: pageBody,
  unknownFields: 'open',
  answer: onePage.extend({ identifier: z.string() }),
  errors: ['missing_permissions', 'not_found', 'identifier_taken'],
});

export const getPage = operation({
  id: 'getPage',
  method: 'GET',
  path: '/v1/pages/{page_identifier}',
  tag,
  summary: 'Read a page with its widgets; the home page and entity pages exist without being made',
  access: 'token',
  params: pageParams,
  answer: onePage,
  errors: ['not_found'],
});

export const replacePage = operation({
  id: 'replacePage',
  method: 'PUT',
  path: '/v1/pages/{page_identifier}',
  tag,
  summary:
    'Replace a page; another identifier renames it, and `expectedVersion` refuses a page changed since it was read',
  access: 'token',
  params: pageParams,
  query: z.object({ expectedVersion: readVersion.optional() }),
  body: pageBody,
  unknownFields: 'open',
  answer: onePage.extend({ identifier: z.string() }),
  errors: ['missing_permissions', 'not_found', 'identifier_taken', 'managed_field', 'stale_version'],
});

export const deletePage = operation({
  id: 'deletePage',
  method: 'DELETE',
  path: '/v1/pages/{page_identifier}',
  tag,
  summary: 'Delete a page',
  access: 'token',
  params: pageParams,
  answer: done,
  errors: ['missing_permissions', 'not_found', 'managed_field'],
});

export const addWidget = operation({
  id: 'addWidget',
  method: 'POST',
  path: '/v1/pages/{page_identifier}/widgets',
  tag,
  summary: 'Add a widget at the end of a page; in a dashboard it gets a row of its own',
  access: 'token',
  status: 201,
  params: pageParams,
  body: widget,
  answer: named,
  errors: ['missing_permissions', 'not_found', 'identifier_taken'],
});

export const patchWidget = operation({
  id: 'patchWidget',
  method: 'PATCH',
  path: '/v1/pages/{page_identifier}/widgets/{widget_id}',
  tag,
  summary: 'Change keys of one widget; null removes a key',
  access: 'token',
  params: widgetParams,
  body: z.looseObject({ type: z.string().min(1).max(100).optional(), id: z.string().max(200).optional() }),
  answer: named,
  errors: ['missing_permissions', 'not_found', 'identifier_taken'],
});

export const deleteWidget = operation({
  id: 'deleteWidget',
  method: 'DELETE',
  path: '/v1/pages/{page_identifier}/widgets/{widget_id}',
  tag,
  summary: 'Remove one widget; its row of the layout closes up',
  access: 'token',
  params: widgetParams,
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

export const getPagePermissions = operation({
  id: 'getPagePermissions',
  method: 'GET',
  path: '/v1/pages/{page_identifier}/permissions',
  tag,
  summary: 'Read who may see and change a page',
  access: 'token',
  params: pageParams,
  answer: z.object({
    ok: z.literal(true),
    permissions: pagePermissions,
    allowed: z.object({ update: z.boolean(), delete: z.boolean() }).meta({ description: 'What you may do with it' }),
  }),
  errors: ['not_found'],
});

export const patchPagePermissions = operation({
  id: 'patchPagePermissions',
  method: 'PATCH',
  path: '/v1/pages/{page_identifier}/permissions',
  tag,
  summary: 'Change who may see and change a page; lists that are left out stay',
  access: 'token',
  params: pageParams,
  body: pagePermissionsBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), permissions: pagePermissions }),
  errors: ['missing_permissions', 'not_found'],
});

export const pageOperations = [
  listPages,
  createPage,
  getPage,
  replacePage,
  deletePage,
  addWidget,
  patchWidget,
  deleteWidget,
  getPagePermissions,
  patchPagePermissions,
] as const;
