import { z } from 'zod';
import { operation } from './operation.ts';
import { pageIdentifier, pageTypes } from './pages.ts';

const place = z.string().max(200).nullish();

/** A folder of the side bar as it is written (api contract §3.8.3); `sidebar` is always `catalog`. */
export const folderBody = z.object({
  identifier: pageIdentifier,
  title: z.string().max(200).nullish(),
  parent: place,
  after: place,
  sidebar: z.literal('catalog').nullish(),
});
export type FolderBody = z.output<typeof folderBody>;

const folder = z.object({
  identifier: z.string(),
  title: z.string().optional(),
  parent: z.string().optional(),
  after: z.string().optional(),
  sidebar: z.literal('catalog'),
  sidebarType: z.literal('folder'),
});
export type Folder = z.output<typeof folder>;

const pageItem = z.object({
  identifier: z.string(),
  title: z.string().optional(),
  icon: z.string().optional(),
  type: z.enum(pageTypes),
  blueprint: z.string().optional(),
  parent: z.string().optional(),
  after: z.string().optional(),
  sidebar: z.literal('catalog'),
  sidebarType: z.literal('page'),
});
/** A folder, or a page the caller may see; folders come before their content. */
const sidebarItem = z.discriminatedUnion('sidebarType', [folder, pageItem]);
export type SidebarItem = z.output<typeof sidebarItem>;

const tag = 'Pages';
const params = z.object({ folder_identifier: z.string().min(1).max(1000) });
const oneFolder = z.object({ ok: z.literal(true), folder });

export const getSidebar = operation({
  id: 'getSidebar',
  method: 'GET',
  path: '/v1/sidebars/catalog',
  tag,
  summary: 'Read the side bar: folders and pages in their order',
  access: 'token',
  answer: z.object({
    ok: z.literal(true),
    sidebar: z.object({ identifier: z.literal('catalog'), items: z.array(sidebarItem) }),
  }),
  errors: [],
});

export const createFolder = operation({
  id: 'createFolder',
  method: 'POST',
  path: '/v1/sidebars/catalog/folders',
  tag,
  summary: 'Create a folder of the side bar; folders lie at most three deep',
  access: 'admin',
  status: 201,
  body: folderBody,
  unknownFields: 'open',
  answer: oneFolder,
  errors: ['identifier_taken'],
});

export const patchFolder = operation({
  id: 'patchFolder',
  method: 'PATCH',
  path: '/v1/sidebars/catalog/folders/{folder_identifier}',
  tag,
  summary: 'Replace a folder; without `parent` and `after` it moves to the end of the top level',
  access: 'admin',
  params,
  body: folderBody.partial({ identifier: true }),
  unknownFields: 'open',
  answer: oneFolder,
  errors: ['not_found', 'identifier_taken'],
});

export const deleteFolder = operation({
  id: 'deleteFolder',
  method: 'DELETE',
  path: '/v1/sidebars/catalog/folders/{folder_identifier}',
  tag,
  summary: 'Delete a folder; what was in it moves to where the folder was',
  access: 'admin',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const sidebarOperations = [getSidebar, createFolder, patchFolder, deleteFolder] as const;
